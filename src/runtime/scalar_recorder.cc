#include "runtime/scalar_recorder.h"

#include <algorithm>
#include <utility>

namespace replicator {

void ScalarRecorder::Enqueue(std::string name, int64_t step, std::function<double()> read) {
  pending_.push_back({std::move(name), step, std::move(read)});
}

void ScalarRecorder::ReadUntil(int64_t step) {
  while (!pending_.empty() && pending_.front().step <= step) {
    const Pending scalar = std::move(pending_.front());
    pending_.pop_front();
    Record(scalar.name, scalar.step, scalar.read());
  }
}

void ScalarRecorder::Record(const std::string& name, int64_t step, double value) {
  if (writer_ != nullptr) writer_->AddScalar(name, static_cast<float>(value), step);
  const auto known = std::find_if(newest_.begin(), newest_.end(), [&](const NamedScalar& s) { return s.name == name; });
  if (known == newest_.end()) {
    newest_.push_back({name, value, step});
  } else {
    *known = {name, value, step};
  }
}

void ScalarRecorder::Flush() {
  if (writer_ != nullptr) writer_->Flush();
}

}  // namespace replicator
