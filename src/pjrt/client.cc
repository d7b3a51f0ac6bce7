#include "pjrt/client.h"

#include <thread>

#include "pjrt/c_api.h"
#include "pjrt/executable.h"
#include "pjrt/named_values.h"
#include "pjrt/program.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

void DestroyRaw(const PJRT_Api* api, PJRT_Client* client) {
  REPLICATOR_PJRT_ARGS(PJRT_Client_Destroy, args);
  args.client = client;
  REPLICATOR_PJRT_CALL_QUIETLY(api, PJRT_Client_Destroy, args);
}

}  // namespace

std::shared_ptr<Client> Client::Create(const Plugin& plugin, const Options& options) {
  const std::vector<PJRT_NamedValue> values = ToNamedValues(options);
  REPLICATOR_PJRT_ARGS(PJRT_Client_Create, args);
  args.create_options = values.data();
  args.num_options = values.size();
  REPLICATOR_PJRT_CALL(plugin.api(), PJRT_Client_Create, args);
  return std::shared_ptr<Client>(new Client(plugin, args.client), Deleter{});
}

Client::Client(const Plugin& plugin, PJRT_Client* client) : plugin_(plugin), client_(client) {
  const PJRT_Api* api = plugin.api();
  try {
    REPLICATOR_PJRT_ARGS(PJRT_Client_PlatformName, name);
    name.client = client;
    REPLICATOR_PJRT_CALL(api, PJRT_Client_PlatformName, name);
    platform_name_.assign(name.platform_name, name.platform_name_size);
    REPLICATOR_PJRT_ARGS(PJRT_Client_PlatformVersion, version);
    version.client = client;
    REPLICATOR_PJRT_CALL(api, PJRT_Client_PlatformVersion, version);
    platform_version_.assign(version.platform_version, version.platform_version_size);
    REPLICATOR_PJRT_ARGS(PJRT_Client_ProcessIndex, process);
    process.client = client;
    REPLICATOR_PJRT_CALL(api, PJRT_Client_ProcessIndex, process);
    process_index_ = process.process_index;
    REPLICATOR_PJRT_ARGS(PJRT_Client_AddressableDevices, devices);
    devices.client = client;
    REPLICATOR_PJRT_CALL(api, PJRT_Client_AddressableDevices, devices);
    for (size_t i = 0; i < devices.num_addressable_devices; ++i) {
      devices_.emplace_back(api, devices.addressable_devices[i], static_cast<int>(i));
    }
    if (devices_.empty()) {
      throw Error(ErrorCode::kNotFound, "the plugin '" + plugin.path() + "' found no device for this process");
    }
    window_ = std::make_shared<LaunchWindow>(static_cast<int>(devices_.size()));
  } catch (...) {
    DestroyRaw(api, client_);
    throw;
  }
}

Client::~Client() {
  window_->Drain();
  DestroyRaw(plugin_.api(), client_);
}

void Client::Deleter::operator()(Client* client) const {
  if (InPluginCallback()) {
    std::thread([client] { delete client; }).detach();
  } else {
    delete client;
  }
}

const Device& Client::DeviceById(int id) const {
  std::string ids;
  for (const Device& device : devices_) {
    if (device.id() == id) return device;
    ids += (ids.empty() ? "" : ", ") + std::to_string(device.id());
  }
  throw Error(ErrorCode::kNotFound, "there is no device with id " + std::to_string(id) + "; this process has " + ids);
}

std::unique_ptr<Executable> Client::Compile(std::string_view mlir, const CompileOptions& options) {
  const std::string encoded = Encode(options);
  const PJRT_Program program = MlirProgram(mlir);
  REPLICATOR_PJRT_ARGS(PJRT_Client_Compile, args);
  args.client = client_;
  args.program = &program;
  args.compile_options = encoded.data();
  args.compile_options_size = encoded.size();
  Call(plugin_.api(), &PJRT_Api::PJRT_Client_Compile, "compilation", &args);
  return std::unique_ptr<Executable>(new Executable(shared_from_this(), args.executable));
}

std::unique_ptr<Executable> Client::Load(std::string_view serialised) {
  REPLICATOR_PJRT_ARGS(PJRT_Executable_DeserializeAndLoad, args);
  args.client = client_;
  args.serialized_executable = serialised.data();
  args.serialized_executable_size = serialised.size();
  Call(plugin_.api(), &PJRT_Api::PJRT_Executable_DeserializeAndLoad, "loading a serialised executable", &args);
  return std::unique_ptr<Executable>(new Executable(shared_from_this(), args.loaded_executable));
}

}  // namespace replicator::pjrt
