// A plugin's hold on its devices: where programs are compiled and values put.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pjrt/buffer.h"
#include "pjrt/compile_options.h"
#include "pjrt/device.h"
#include "pjrt/launch_window.h"
#include "pjrt/plugin.h"

struct PJRT_Client;

namespace replicator::pjrt {

class Executable;

// Thread-safe. Buffers and executables keep their client alive; any order of destruction works. Destruction waits for
// the launches in flight.
class Client : public std::enable_shared_from_this<Client> {
 public:
  // `options`: the plugin's own, such as {"cpu_device_count", 4}; platforms/platform.h knows them. Throws the plugin's
  // Error (for a plugin that finds no device, say).
  static std::shared_ptr<Client> Create(const Plugin& plugin, const Options& options = {});
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  const Plugin& plugin() const { return plugin_; }
  // "cpu", "cuda", "tpu", ...
  const std::string& platform_name() const { return platform_name_; }
  const std::string& platform_version() const { return platform_version_; }
  int process_index() const { return process_index_; }
  // Those this process can use, in the plugin's order. At least one.
  std::span<const Device> devices() const { return devices_; }
  // Throws Error(kNotFound), listing the ids there are.
  const Device& DeviceById(int id) const;

  // Compiles a StableHLO module (text or bytecode). Throws Error: the options' (see Encode), kInvalidArgument for a
  // module that does not parse or verify, kResourceExhausted when it does not fit, ...
  std::unique_ptr<Executable> Compile(std::string_view mlir, const CompileOptions& options = {});
  // Loads what Executable::Serialize gave, for the same plugin build on the same kind of machine: the plugin checks
  // little of it, and code of another build may load and then fail, or worse, when run. Throws Error when it does not
  // load.
  std::unique_ptr<Executable> Load(std::string_view serialised);

  // Starts to put a value onto a device and returns at once. On CPU the device reads literals in place (they are
  // aligned); a launch to which such a buffer is donated writes elsewhere.
  Buffer Put(const Literal& literal, const Device& device);
  // The same for `shape.byte_size()` bytes at `data`, row-major, which `owner` keeps alive; read in place on CPU if
  // aligned to Literal::kAlignment. Nobody may change them before the plugin has let go of `owner`: shortly after the
  // buffer has been destroyed and every launch and copy that reads it has completed, from a thread of the plugin.
  Buffer Put(const Shape& shape, const void* data, std::shared_ptr<const void> owner, const Device& device);
  // Copies before it returns: `data` is free again.
  Buffer PutCopy(const Shape& shape, const void* data, const Device& device);

  // Waits until every launch so far has completed, successfully or not.
  void WaitForLaunches() { window_->Drain(); }

  PJRT_Client* raw() const { return client_; }
  const std::shared_ptr<LaunchWindow>& window() const { return window_; }

 private:
  struct Deleter {
    void operator()(Client* client) const;
  };
  Client(const Plugin& plugin, PJRT_Client* client);
  ~Client();

  const Plugin& plugin_;
  PJRT_Client* const client_;
  std::string platform_name_;
  std::string platform_version_;
  int process_index_ = 0;
  std::vector<Device> devices_;
  std::shared_ptr<LaunchWindow> window_;  // shared with launches whose completion is yet to be told
};

}  // namespace replicator::pjrt
