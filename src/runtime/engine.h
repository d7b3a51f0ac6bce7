// What a replicator and its sessions share: devices, variables, steps, and their execution.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/build_context.h"
#include "replicate/program.h"
#include "replicator/runtime/fetch.h"
#include "replicator/runtime/input_iterator.h"
#include "replicator/store/staleness.h"
#include "runtime/async_options.h"

namespace replicator {

struct VariableSnapshot;
namespace pjrt {
class Executable;
}  // namespace pjrt

struct EngineOptions {
  std::string platform = "cpu";
  std::string plugin_path = {};  // empty: the platform's own way to find it
  int num_replicas = 1;
  int num_logical_devices_per_replica = 1;
  uint64_t seed = 0;
  // Where compiled executables are kept between processes; empty: the environment variable REPLICATOR_CACHE_DIR, and if
  // that is empty too, nowhere.
  std::string cache_dir = {};
  AsyncOptions async = {};
  // Whether RunSteps makes one launch of several steps where it is not told. Set by Create, from the platform.
  bool fast_loops = false;
};

// Everything that a checkpoint holds, on the host.
struct EngineState {
  // Variables by name (aggregates of per-replica ones), and "name@replica" for each exact per-replica value.
  std::map<std::string, Literal> tensors;
  std::map<std::string, std::string> metadata;  // seed, executions of each step, input positions
};

// A callable's program on its devices, and its number among those of the engine.
struct CompiledCallable {
  std::shared_ptr<pjrt::Executable> executable;
  int number = 0;
};

// Thread-safe. Executions serialise, unless the engine is asynchronous.
class Engine {
 public:
  class Step;

  // Throws Error: kNotFound for a missing plugin, kInvalidArgument for an unknown platform or more replicas than
  // devices.
  static std::shared_ptr<Engine> Create(const EngineOptions& options);
  virtual ~Engine() = default;

  virtual int num_replicas() const = 0;
  virtual const EngineOptions& options() const = 0;
  // The table is used only by the thread that builds.
  virtual VariableTable& variables() = 0;

  // Takes a rewritten step; `input` may be undefined. Compiles at the first execution. Returns its index.
  virtual int AddStep(Program program, InputIterator input) = 0;
  virtual const Program& program(int step) const = 0;

  // Gives every variable declared so far that has none its initial value: one program on one device from (seed, name),
  // then copied to the replicas.
  virtual void Initialise() = 0;
  // Enqueues the steps (distinct, ascending) once each; results by step. See Session::Run.
  virtual std::map<int, std::shared_ptr<Step>> Execute(const std::vector<int>& steps) = 0;
  virtual void Wait() = 0;
  // How often the step has been enqueued since the beginning, restored runs included.
  virtual int64_t executions(int step) const = 0;

  virtual Literal ReadVariable(const VariableDef& def, int replica) = 0;
  // Of all replicas, at one moment.
  virtual std::vector<Literal> ReadReplicas(const VariableDef& def) = 0;
  virtual Literal ReadAggregate(const VariableDef& def) = 0;
  virtual void WriteVariable(const VariableDef& def, const Literal& value) = 0;

  // Compiles a program without updates: for all replicas' devices or, if it was built for one replica, for the device
  // of `replica`.
  virtual CompiledCallable AddCallable(const Program& program, int replica) = 0;
  // The variables' values on the devices of those replicas, as of the steps enqueued so far: never of a part of a step.
  // Variables without a value are initialised. Throws Error(kFailedPrecondition) for a lost one.
  virtual VariableSnapshot TakeSnapshot(std::span<const std::shared_ptr<const VariableDef>> variables,
                                        std::span<const int> replicas) = 0;

  // Waits, and copies everything to the host.
  virtual EngineState Save() = 0;
  // Of an engine whose groups of replicas run concurrently; none for a synchronous one.
  virtual std::optional<AsyncStatistics> async_statistics() const { return std::nullopt; }
  // Whether no group of such an engine will begin another training step.
  virtual bool all_groups_ended() const { return true; }

  // Sets variables, counters and input positions. Variables that the state lacks keep their value if `allow_missing`,
  // otherwise Error(kNotFound) names them. Throws Error(kInvalidArgument) for another shape or dtype, with nothing
  // changed.
  virtual void Restore(const EngineState& state, bool allow_missing = false) = 0;
};

}  // namespace replicator
