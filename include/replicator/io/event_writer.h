// Scalars and histograms for TensorBoard.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "replicator/base/source_location.h"
#include "replicator/io/histogram.h"

namespace replicator {
class FileSystem;
}

namespace replicator::io {

struct EventWriterOptions {
  double flush_seconds = 5;           // an Add writes out what is older; 0: each one writes
  FileSystem* file_system = nullptr;  // null: the operating system's; must outlive the writer
};

// Writes an event file, "events.out.tfevents.<seconds>.<host>.<process>.<n>.v2", that TensorBoard shows under
// `directory`.
//
// File format (TensorFlow, core/lib/io/record_writer.h and core/util/event.proto): records of u64 length, masked
// CRC-32C of the length, Event message, masked CRC-32C of the message, all little-endian; the first event carries the
// version.
//
// Thread-safe. A failing disk does not stop a training step: when an Add cannot write, events are kept (up to 4 MiB,
// then counted and dropped) until Flush, which tries again in a new file, since the old one may end inside a record. An
// event may then be in both files; TensorBoard shows such a file up to its last complete record.
class EventWriter {
 public:
  // Creates the directory if need be, and the file. Throws what the file system throws.
  explicit EventWriter(const std::string& directory, EventWriterOptions options = {});
  // Writes out what is pending; a failure is a logged warning.
  ~EventWriter();
  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  // Any value, also NaN and infinity. The wall time is now.
  void AddScalar(std::string_view tag, float value, int64_t step);
  // Throws Error(kInvalidArgument), naming the tag, for what Histogram::Validate refuses, and has then added nothing.
  void AddHistogram(std::string_view tag, const Histogram& histogram, int64_t step,
                    SourceLocation where = SourceLocation::current());

  // Hands everything added so far to the operating system. Throws what the file system throws, naming the file, and
  // keeps the events for the next Flush; throws Error(kResourceExhausted) when events had to be dropped.
  void Flush();

  // The file now written to.
  std::string path() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace replicator::io
