#include "pjrt/executable.h"

#include <algorithm>

#include "pjrt/c_api.h"
#include "pjrt/client.h"
#include "pjrt/pointer_set.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

PJRT_Executable* GetExecutable(const PJRT_Api* api, PJRT_LoadedExecutable* loaded) {
  REPLICATOR_PJRT_ARGS(PJRT_LoadedExecutable_GetExecutable, args);
  args.loaded_executable = loaded;
  REPLICATOR_PJRT_CALL(api, PJRT_LoadedExecutable_GetExecutable, args);
  return args.executable;
}

std::vector<const Device*> Devices(const Client& client, PJRT_LoadedExecutable* loaded) {
  REPLICATOR_PJRT_ARGS(PJRT_LoadedExecutable_AddressableDevices, args);
  args.executable = loaded;
  REPLICATOR_PJRT_CALL(client.plugin().api(), PJRT_LoadedExecutable_AddressableDevices, args);
  std::vector<const Device*> devices;
  for (size_t i = 0; i < args.num_addressable_devices; ++i) {
    const auto found = std::find_if(client.devices().begin(), client.devices().end(),
                                    [&](const Device& device) { return device.raw() == args.addressable_devices[i]; });
    if (found == client.devices().end()) {
      throw Error(ErrorCode::kInternal, "the plugin gave an executable a device that its client does not have");
    }
    devices.push_back(&*found);
  }
  return devices;
}

std::shared_ptr<const std::vector<int>> Indices(const std::vector<const Device*>& devices) {
  std::vector<int> indices;
  for (const Device* device : devices) indices.push_back(device->index());
  return std::make_shared<const std::vector<int>>(std::move(indices));
}

// A launch's slots in the window, from construction until the last device has completed.
class Slots {
 public:
  Slots(std::shared_ptr<LaunchWindow> window, std::shared_ptr<const std::vector<int>> devices)
      : window_(std::move(window)), devices_(std::move(devices)) {
    window_->Acquire(*devices_);
  }
  Slots(const Slots&) = delete;
  Slots& operator=(const Slots&) = delete;
  ~Slots() { window_->Release(*devices_); }

 private:
  const std::shared_ptr<LaunchWindow> window_;
  const std::shared_ptr<const std::vector<int>> devices_;
};

std::optional<Signature> SignatureOf(const UnloadedExecutable& executable) {
  try {
    const auto [format, program] = executable.OptimizedProgram();
    return ParseSignature(format, program);
  } catch (const Error& error) {
    if (error.code() == ErrorCode::kUnimplemented) return std::nullopt;
    throw;
  }
}

bool IsDonated(const Signature& signature, const std::vector<char>& kept, size_t position) {
  return signature.donated[position] != 0 && kept[position] == 0;
}

[[noreturn]] void ThrowArgument(size_t device, size_t position, const std::string& what) {
  throw Error(ErrorCode::kInvalidArgument, "argument " + std::to_string(position) + " for device " +
                                               std::to_string(device) + " of the launch " + what);
}

[[noreturn]] void ThrowTwice(size_t device, size_t position) {
  ThrowArgument(device, position,
                "is passed at another position too, and donated; pass it once, or name its positions in non_donatable");
}

}  // namespace

// The arrays of one call, kept per thread so that a launch allocates nothing for them.
struct Executable::Scratch {
  std::vector<PJRT_Buffer*> arguments;  // [device * num_arguments + position]
  std::vector<PJRT_Buffer* const*> argument_lists;
  std::vector<PJRT_Buffer*> outputs;  // [device * num_outputs + position]
  std::vector<PJRT_Buffer**> output_lists;
  std::vector<PJRT_Event*> events;
  std::vector<char> kept;  // by position: named in ExecuteOptions::non_donatable
  PointerSet donated;      // of one device

  static Scratch& OfThread() {
    static thread_local Scratch scratch;
    return scratch;
  }
};

void Launch::Await() const {
  std::exception_ptr first;
  for (const Event& event : done) {
    try {
      event.Await();
    } catch (...) {
      if (first == nullptr) first = std::current_exception();
    }
  }
  if (first != nullptr) std::rethrow_exception(first);
}

void Executable::Deleter::operator()(PJRT_LoadedExecutable* executable) const noexcept {
  REPLICATOR_PJRT_ARGS(PJRT_LoadedExecutable_Destroy, args);
  args.executable = executable;
  REPLICATOR_PJRT_CALL_QUIETLY(api, PJRT_LoadedExecutable_Destroy, args);
}

Executable::Executable(std::shared_ptr<Client> client, PJRT_LoadedExecutable* executable)
    : client_(std::move(client)),
      executable_(executable, Deleter{client_->plugin().api()}),
      unloaded_(client_->plugin().api(), GetExecutable(client_->plugin().api(), executable)),
      devices_(Devices(*client_, executable)),
      device_indices_(Indices(devices_)),
      signature_(SignatureOf(unloaded_)),
      output_shapes_(unloaded_.OutputShapes()) {
  std::vector<BufferInfo> infos;
  for (const Device* device : devices_) {
    for (const Shape& shape : output_shapes_) infos.push_back({client_, device, shape});
  }
  output_infos_ = std::make_shared<const std::vector<BufferInfo>>(std::move(infos));
}

Launch Executable::Execute(const std::vector<std::vector<Buffer*>>& arguments, const ExecuteOptions& options) {
  Launch launch;
  Execute(arguments, options, launch);
  return launch;
}

void Executable::Execute(const std::vector<std::vector<Buffer*>>& arguments, const ExecuteOptions& options,
                         Launch& launch) {
  CheckArguments(arguments);
  Scratch& scratch = Scratch::OfThread();
  FillScratch(arguments, options, scratch);
  CheckDonations(arguments, scratch);
  launch.outputs.resize(devices_.size());
  for (auto& list : launch.outputs) list.resize(output_shapes_.size());
  launch.done.clear();
  launch.done.reserve(devices_.size());

  const auto slots = std::make_shared<const Slots>(client_->window(), device_indices_);
  try {
    Start(options, arguments.front().size(), scratch);
  } catch (...) {
    for (const auto& list : arguments) {
      for (Buffer* buffer : list) {
        if (buffer->IsDeleted()) buffer->set_known_deleted();
      }
    }
    throw;
  }
  for (PJRT_Event* event : scratch.events) launch.done.emplace_back(client_->plugin().api(), event);
  NoteDonations(arguments, scratch);
  // An argument may be one of the launch's old outputs: these are replaced only now.
  PJRT_Buffer* const* output = scratch.outputs.data();
  const BufferInfo* info = output_infos_->data();
  for (auto& list : launch.outputs) {
    for (Buffer& buffer : list) {
      buffer = Buffer(*output++, std::shared_ptr<const BufferInfo>(output_infos_, info++));
    }
  }
  for (const Event& event : launch.done) {
    if (!event.IsReady()) event.OnReady([slots](std::exception_ptr) {});
  }
}

// Whatever could be wrong is refused here. A launch that the plugin refuses on some devices leaves the others waiting
// in their collectives; and after one that it refuses on all, XLA:CPU of API 0.81 hangs in the next collective.
void Executable::CheckArguments(const std::vector<std::vector<Buffer*>>& arguments) const {
  if (arguments.size() != devices_.size()) {
    throw Error(ErrorCode::kInvalidArgument, "the program runs on " + std::to_string(devices_.size()) +
                                                 " devices, but arguments for " + std::to_string(arguments.size()) +
                                                 " were given");
  }
  const size_t count = signature_.has_value() ? signature_->parameters.size() : arguments.front().size();
  for (size_t d = 0; d < arguments.size(); ++d) {
    if (arguments[d].size() != count) {
      throw Error(ErrorCode::kInvalidArgument, "the program takes " + std::to_string(count) + " arguments, but " +
                                                   std::to_string(arguments[d].size()) + " were given for device " +
                                                   std::to_string(d) + " of the launch");
    }
    for (size_t i = 0; i < count; ++i) {
      const Buffer* buffer = arguments[d][i];
      if (buffer == nullptr || !buffer->valid()) ThrowArgument(d, i, "is missing");
      // The note may be wrong: a buffer that someone reads in place is copied, and not donated.
      if (buffer->known_deleted() && buffer->IsDeleted()) ThrowArgument(d, i, "has been deleted or donated");
      if (&buffer->device() != devices_[d]) {
        ThrowArgument(d, i,
                      "is on " + buffer->device().description().name +
                          (buffer->client() == client_ ? "" : " of another client") + ", but the program runs on " +
                          devices_[d]->description().name);
      }
      const Shape& shape = signature_.has_value() ? signature_->parameters[i] : arguments.front()[i]->shape();
      if (buffer->shape() != shape) {
        ThrowArgument(d, i, "is " + ToString(buffer->shape()) + ", but the program takes " + ToString(shape));
      }
    }
  }
}

void Executable::FillScratch(const std::vector<std::vector<Buffer*>>& arguments, const ExecuteOptions& options,
                             Scratch& scratch) const {
  const size_t num_devices = devices_.size();
  const size_t num_arguments = arguments.front().size();
  const size_t num_outputs = output_shapes_.size();
  scratch.arguments.resize(num_devices * num_arguments);
  scratch.argument_lists.resize(num_devices);
  scratch.outputs.resize(num_devices * num_outputs);
  scratch.output_lists.resize(num_devices);
  scratch.events.assign(num_devices, nullptr);
  for (size_t d = 0; d < num_devices; ++d) {
    PJRT_Buffer** list = scratch.arguments.data() + d * num_arguments;
    for (size_t i = 0; i < num_arguments; ++i) list[i] = arguments[d][i]->raw();
    scratch.argument_lists[d] = list;
    scratch.output_lists[d] = scratch.outputs.data() + d * num_outputs;
  }
  scratch.kept.assign(num_arguments, 0);
  for (int64_t position : options.non_donatable) {
    if (position < 0 || position >= static_cast<int64_t>(num_arguments)) {
      throw Error(ErrorCode::kInvalidArgument, "non-donatable position " + std::to_string(position) +
                                                   " is not one of the " + std::to_string(num_arguments) +
                                                   " arguments");
    }
    scratch.kept[static_cast<size_t>(position)] = 1;
  }
}

void Executable::CheckDonations(const std::vector<std::vector<Buffer*>>& arguments, Scratch& scratch) const {
  if (!signature_.has_value()) return;
  const size_t count = signature_->parameters.size();
  for (size_t d = 0; d < arguments.size(); ++d) {
    scratch.donated.Clear(count);
    for (size_t i = 0; i < count; ++i) {
      if (IsDonated(*signature_, scratch.kept, i) && !scratch.donated.Insert(arguments[d][i]->raw())) ThrowTwice(d, i);
    }
    for (size_t i = 0; i < count; ++i) {
      if (!IsDonated(*signature_, scratch.kept, i) && scratch.donated.Contains(arguments[d][i]->raw()))
        ThrowTwice(d, i);
    }
  }
}

void Executable::Start(const ExecuteOptions& options, size_t num_arguments, Scratch& scratch) const {
  PJRT_ExecuteOptions execute{};
  execute.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE;
  execute.non_donatable_input_indices = options.non_donatable.data();
  execute.num_non_donatable_input_indices = options.non_donatable.size();
  execute.context = options.context;
  REPLICATOR_PJRT_ARGS(PJRT_LoadedExecutable_Execute, args);
  args.executable = executable_.get();
  args.options = &execute;
  args.argument_lists = scratch.argument_lists.data();
  args.num_devices = devices_.size();
  args.num_args = num_arguments;
  args.output_lists = scratch.output_lists.data();
  args.device_complete_events = scratch.events.data();
  // A program on one device takes part in no gang.
  std::unique_lock gang(client_->window()->gang_mutex(), std::defer_lock);
  if (devices_.size() > 1) gang.lock();
  Call(client_->plugin().api(), &PJRT_Api::PJRT_LoadedExecutable_Execute, "launching the program", &args);
}

// Notes in the arguments what has become of them, so that the next launch need not ask the plugin about each.
void Executable::NoteDonations(const std::vector<std::vector<Buffer*>>& arguments, const Scratch& scratch) const {
  for (const auto& list : arguments) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (signature_.has_value() ? IsDonated(*signature_, scratch.kept, i) : list[i]->IsDeleted())
        list[i]->set_known_deleted();
    }
  }
}

}  // namespace replicator::pjrt
