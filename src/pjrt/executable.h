// A compiled program on its devices, ready to run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pjrt/buffer.h"
#include "pjrt/event.h"
#include "pjrt/signature.h"
#include "pjrt/unloaded_executable.h"

struct PJRT_ExecuteContext;
struct PJRT_LoadedExecutable;

namespace replicator::pjrt {

class Client;
class Device;

// One launch: lists by device, in the order of Executable::devices(). Reuse one from step to step to save allocations.
struct Launch {
  std::vector<std::vector<Buffer>> outputs;  // [device][output]
  std::vector<Event> done;  // [device]; complete when the device has finished, with the Error if it failed

  // Waits for every device, then throws the first Error, if there is one.
  void Await() const;
};

struct ExecuteOptions {
  // Positions of arguments that must survive even though the program may donate them (others hold them too).
  std::span<const int64_t> non_donatable = {};
  // User data for custom calls; must live until the launch has completed.
  PJRT_ExecuteContext* context = nullptr;
};

// Thread-safe: launches from several threads interleave whole.
class Executable {
 public:
  Executable(const Executable&) = delete;
  Executable& operator=(const Executable&) = delete;

  // One per replica and partition that this process runs; replicas in order.
  const std::vector<const Device*>& devices() const { return devices_; }
  // Shapes of the parameters of one device, and which of them are donated. None where the plugin's optimised program
  // cannot be read; Execute then leaves it to the plugin to notice a wrong argument.
  const std::optional<Signature>& signature() const { return signature_; }
  const std::vector<Shape>& output_shapes() const { return output_shapes_; }
  int num_outputs() const { return static_cast<int>(output_shapes_.size()); }
  const std::shared_ptr<Client>& client() const { return client_; }
  // Name, fingerprint, memory, serialisation.
  const UnloadedExecutable& unloaded() const { return unloaded_; }

  // Starts the program on all of its devices at once and returns; results, and failures while running, arrive later, in
  // `done` and in the outputs. arguments[d][i] is the i-th argument on device d. Donated arguments are deleted
  // afterwards (Buffer::IsDeleted), unless their position is in `non_donatable`. Waits first where a device already has
  // LaunchWindow::kMaxInFlight launches in flight, over all threads and executables.
  //
  // Throws Error(kInvalidArgument) when the number of lists or arguments is wrong, or an argument is missing, deleted,
  // of another client, on another device, of another shape than the program's, or donated and passed twice: nothing has
  // then been started. After any other Error the donated arguments may be lost (IsDeleted says which).
  //
  // A gang needs all of its devices: an argument whose own computation failed on some devices only leaves the others
  // waiting in their collectives. So await a launch that may fail before using its outputs in a program with
  // collectives.
  Launch Execute(const std::vector<std::vector<Buffer*>>& arguments, const ExecuteOptions& options = {});
  // The same into an existing `launch`, whose vectors are reused and whose old buffers and events are released.
  void Execute(const std::vector<std::vector<Buffer*>>& arguments, const ExecuteOptions& options, Launch& launch);

 private:
  friend class Client;
  Executable(std::shared_ptr<Client> client, PJRT_LoadedExecutable* executable);

  struct Scratch;
  void CheckArguments(const std::vector<std::vector<Buffer*>>& arguments) const;
  void FillScratch(const std::vector<std::vector<Buffer*>>& arguments, const ExecuteOptions& options,
                   Scratch& scratch) const;
  void CheckDonations(const std::vector<std::vector<Buffer*>>& arguments, Scratch& scratch) const;
  void Start(const ExecuteOptions& options, size_t num_arguments, Scratch& scratch) const;
  void NoteDonations(const std::vector<std::vector<Buffer*>>& arguments, const Scratch& scratch) const;

  struct Deleter {
    const PJRT_Api* api;
    void operator()(PJRT_LoadedExecutable* executable) const noexcept;
  };

  const std::shared_ptr<Client> client_;
  const std::unique_ptr<PJRT_LoadedExecutable, Deleter> executable_;
  const UnloadedExecutable unloaded_;
  const std::vector<const Device*> devices_;
  const std::shared_ptr<const std::vector<int>> device_indices_;  // shared with launches in flight
  const std::optional<Signature> signature_;
  const std::vector<Shape> output_shapes_;
  // [device * num_outputs + output]; in one block, whose single count all output buffers share.
  std::shared_ptr<const std::vector<BufferInfo>> output_infos_;
};

}  // namespace replicator::pjrt
