// Reads fetches every few steps for a ScalarRecorder.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "replicator/runtime/hook.h"
#include "runtime/scalar_recorder.h"

namespace replicator {

class ScalarHook final : public Hook {
 public:
  ScalarHook(int64_t every_steps, ScalarRecorder& recorder) : every_steps_(every_steps), recorder_(recorder) {}

  void Add(std::string name, const Fetch& fetch) { scalars_.emplace_back(std::move(name), fetch); }

  std::vector<Fetch> BeforeRun(HookContext& context) override;
  void AfterRun(HookContext& context, const std::vector<std::optional<Fetched>>& values) override;
  void End(HookContext& context) override;

 private:
  int64_t every_steps_;
  ScalarRecorder& recorder_;
  std::vector<std::pair<std::string, Fetch>> scalars_;
};

}  // namespace replicator
