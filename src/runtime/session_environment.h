// What a MonitoredSession needs of the world, so that tests can provide it.
#pragma once

#include <string_view>

namespace replicator {

class FileSystem;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual double Now() = 0;  // seconds, never decreasing
};

class InterruptSource {
 public:
  virtual ~InterruptSource() = default;
  virtual void Install() = 0;    // from now on Interrupted tells
  virtual void Uninstall() = 0;  // what Interrupted tells stays as it is
  virtual bool Interrupted() const = 0;
};

// Where progress is shown.
class ProgressOutput {
 public:
  virtual ~ProgressOutput() = default;
  virtual bool IsTerminal() const = 0;
  virtual int Width() const = 0;  // columns of the terminal
  virtual void Write(std::string_view text) = 0;
};

struct SessionEnvironment {
  Clock* clock = nullptr;
  InterruptSource* interrupts = nullptr;
  ProgressOutput* progress = nullptr;
  FileSystem* file_system = nullptr;

  // The real ones. InterruptSource: the process's signals.
  static SessionEnvironment& Default();
};

}  // namespace replicator
