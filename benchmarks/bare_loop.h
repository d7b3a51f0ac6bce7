// The same program as a step, driven through the C API by the shortest loop there is.
#pragma once

#include <pjrt_c_api.h>

#include <memory>
#include <string>
#include <vector>

#include "pjrt/client.h"
#include "replicate/program.h"

namespace replicator::bench {

struct BareProgram {
  std::string mlir;
  int num_replicas = 1;
  std::vector<Shape> parameters;  // f32
  std::vector<int> updates;       // by parameter: the output with its new value, or -1
  size_t num_outputs = 0;
};
// The program of a step that takes variables only, and no input.
BareProgram WithoutRuntime(const Program& program);

class BareLoop {
 public:
  // Zeros for every argument.
  explicit BareLoop(BareProgram program);
  ~BareLoop();
  BareLoop(const BareLoop&) = delete;
  BareLoop& operator=(const BareLoop&) = delete;

  // Enqueues `steps` executions, each on the results of the one before, and waits for all.
  void Run(int steps);

 private:
  void Check(PJRT_Error* error) const;
  void Execute(std::vector<PJRT_Event*>& done);
  PJRT_Buffer* Put(const Shape& shape, size_t replica) const;
  void Await(PJRT_Event* event) const;
  void Destroy(PJRT_Buffer* buffer) const;

  std::shared_ptr<pjrt::Client> client_;
  const PJRT_Api* api_;
  PJRT_LoadedExecutable* executable_ = nullptr;
  size_t num_replicas_, num_outputs_;
  std::vector<int> update_of_;                        // as BareProgram::updates
  std::vector<std::vector<PJRT_Buffer*>> arguments_;  // [replica][parameter]
  std::vector<std::vector<PJRT_Buffer*>> outputs_;    // [replica][output]
  std::vector<PJRT_Buffer* const*> argument_lists_;
  std::vector<PJRT_Buffer**> output_lists_;
};

}  // namespace replicator::bench
