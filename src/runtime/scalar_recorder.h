// The named scalars of a session: read late, written to the event file, and remembered for display.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "replicator/io/event_writer.h"
#include "replicator/runtime/hook.h"

namespace replicator {

class ScalarRecorder {
 public:
  // Where values are written from now on; null: nowhere, which is how it begins.
  void SetWriter(std::unique_ptr<io::EventWriter> writer) { writer_ = std::move(writer); }

  // A value of `step` that `read` gives, perhaps after waiting.
  void Enqueue(std::string name, int64_t step, std::function<double()> read);
  // Reads what is of `step` or an earlier one. Throws what `read` throws; that value is then gone.
  void ReadUntil(int64_t step);
  void Record(const std::string& name, int64_t step, double value);
  // Hands what was recorded to the operating system; throws what EventWriter::Flush throws.
  void Flush();

  // The newest value of each, in the order of their first values.
  const std::vector<NamedScalar>& newest() const { return newest_; }

 private:
  struct Pending {
    std::string name;
    int64_t step = 0;
    std::function<double()> read;
  };
  std::unique_ptr<io::EventWriter> writer_;
  std::deque<Pending> pending_;  // steps do not decrease
  std::vector<NamedScalar> newest_;
};

}  // namespace replicator
