#include "pjrt/plugin.h"

#include <dlfcn.h>
#include <elf.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>

#include "pjrt/c_api.h"
#include "pjrt/file_hash.h"
#include "pjrt/named_values.h"
#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

constexpr int kOldestMinorVersion = 54;

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#else
#error "no PJRT plugins are known for this architecture"
#endif

std::string MachineName(int machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86_64";
    case EM_AARCH64:
      return "aarch64";
    default:
      return "ELF machine " + std::to_string(machine);
  }
}

// dlopen's own words for these mistakes ("invalid ELF header", "cannot open shared object file") mislead, and a
// truncated library would end the process with a bus error.
void CheckLibrary(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw Error(ErrorCode::kNotFound, "cannot open the plugin '" + path + "'; check the path and its permissions");
  }
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof(header));
  if (!file || std::string_view(reinterpret_cast<char*>(header.e_ident), SELFMAG) != ELFMAG ||
      header.e_type != ET_DYN) {
    throw Error(ErrorCode::kInvalidArgument,
                "'" + path + "' is not a shared library; a PJRT plugin (a .so file) is needed");
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_machine != kMachine) {
    throw Error(ErrorCode::kInvalidArgument, "the plugin '" + path + "' was built for " +
                                                 MachineName(header.e_machine) + ", but this machine is " +
                                                 MachineName(kMachine));
  }
  const uintmax_t size = std::filesystem::file_size(path);
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.read(reinterpret_cast<char*>(&segment), sizeof(segment));
    if (!file || segment.p_offset > size || segment.p_filesz > size - segment.p_offset) {
      throw Error(ErrorCode::kDataLoss, "the plugin '" + path + "' is truncated: it has " + std::to_string(size) +
                                            " bytes, fewer than its own table says; fetch it again");
    }
  }
}

const PJRT_Api* OpenLibrary(const std::string& path) {
  CheckLibrary(path);
  setenv("TF_CPP_MIN_LOG_LEVEL", "1", /*overwrite=*/0);
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = dlerror();
    throw Error(ErrorCode::kNotFound, "cannot load the plugin '" + path + "': " + (reason == nullptr ? "" : reason));
  }
  const auto get_api = reinterpret_cast<const PJRT_Api* (*)()>(dlsym(library, "GetPjrtApi"));
  if (get_api == nullptr) {
    dlclose(library);
    throw Error(ErrorCode::kInvalidArgument, "'" + path + "' is not a PJRT plugin: it does not export GetPjrtApi");
  }
  const PJRT_Api* api = get_api();
  if (api == nullptr) throw Error(ErrorCode::kInternal, "GetPjrtApi of the plugin '" + path + "' returned nothing");
  return api;
}

struct Registry {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Plugin>> plugins;
};

// Never destroyed: plugins run threads of their own until the process ends.
Registry& TheRegistry() {
  static auto* registry = new Registry;
  return *registry;
}

}  // namespace

void CheckApiVersion(int major, int minor, const std::string& path) {
  if (major == PJRT_API_MAJOR && minor >= kOldestMinorVersion) return;
  throw Error(ErrorCode::kFailedPrecondition,
              "the plugin '" + path + "' implements PJRT API " + std::to_string(major) + "." + std::to_string(minor) +
                  ", but " + std::to_string(PJRT_API_MAJOR) + "." + std::to_string(kOldestMinorVersion) +
                  " or later within " + std::to_string(PJRT_API_MAJOR) + ".x is needed");
}

const Plugin& Plugin::Load(const std::string& path) {
  std::error_code code;
  const std::filesystem::path resolved = std::filesystem::canonical(path, code);
  if (code) throw Error(ErrorCode::kNotFound, "cannot open the plugin '" + path + "': " + code.message());
  if (!std::filesystem::is_regular_file(resolved)) {
    throw Error(ErrorCode::kInvalidArgument, "'" + path + "' is not a file; a PJRT plugin (a .so file) is needed");
  }
  Registry& registry = TheRegistry();
  const std::lock_guard lock(registry.mutex);
  std::unique_ptr<Plugin>& entry = registry.plugins[resolved.string()];
  if (entry == nullptr) entry.reset(new Plugin(resolved.string(), OpenLibrary(resolved.string())));
  return *entry;
}

Plugin::Plugin(std::string path, const PJRT_Api* api) : path_(std::move(path)), api_(api) {
  CheckApiVersion(api_major_version(), api_minor_version(), path_);
  REPLICATOR_PJRT_ARGS(PJRT_Plugin_Initialize, initialize);
  REPLICATOR_PJRT_CALL(api_, PJRT_Plugin_Initialize, initialize);
  REPLICATOR_PJRT_ARGS(PJRT_Plugin_Attributes, attributes);
  REPLICATOR_PJRT_CALL(api_, PJRT_Plugin_Attributes, attributes);
  attributes_ = FromNamedValues({attributes.attributes, attributes.num_attributes});
}

int Plugin::api_major_version() const { return api_->pjrt_api_version.major_version; }
int Plugin::api_minor_version() const { return api_->pjrt_api_version.minor_version; }

uint64_t Plugin::ContentHash() const {
  std::call_once(hash_once_, [this] { hash_ = HashFile(path_); });
  return hash_;
}

}  // namespace replicator::pjrt
