#include "pjrt/plugin_search.h"

#include <cstdlib>
#include <filesystem>

#include "replicator/base/error.h"

namespace replicator::pjrt {
namespace {

constexpr char kVariable[] = "PJRT_NAMES_AND_LIBRARY_PATHS";

std::string_view Trim(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

}  // namespace

std::map<std::string, std::string> ParsePluginPaths(std::string_view text) {
  std::map<std::string, std::string> paths;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    const std::string_view entry = Trim(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    if (entry.empty()) continue;
    const size_t colon = entry.find(':');
    const std::string_view name = Trim(entry.substr(0, colon));
    const std::string_view path = colon == std::string_view::npos ? std::string_view{} : Trim(entry.substr(colon + 1));
    if (name.empty() || path.empty()) {
      throw Error(
          ErrorCode::kInvalidArgument,
          std::string(kVariable) + " must be 'name:path,name2:path2', but one entry is '" + std::string(entry) + "'");
    }
    if (!paths.emplace(name, path).second) {
      throw Error(ErrorCode::kInvalidArgument,
                  std::string(kVariable) + " names the plugin '" + std::string(name) + "' twice");
    }
  }
  return paths;
}

std::vector<std::string> PluginDirectories() {
  std::vector<std::string> directories;
  std::error_code code;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", code);
  if (!code) {
    directories.push_back(
        (program.parent_path() / ".." / "lib" / "replicator" / "plugins").lexically_normal().string());
  }
  directories.emplace_back(REPLICATOR_PLUGIN_DIR);
  return directories;
}

std::string FindPlugin(std::string_view name, const std::vector<std::string>& files) {
  const char* variable = std::getenv(kVariable);
  if (variable != nullptr) {
    const auto paths = ParsePluginPaths(variable);
    if (const auto found = paths.find(std::string(name)); found != paths.end()) return found->second;
  }
  std::string looked;
  for (const std::string& directory : PluginDirectories()) {
    for (const std::string& file : files) {
      const std::string path = (std::filesystem::path(directory) / file).string();
      std::error_code code;
      if (std::filesystem::exists(path, code)) return path;
      looked += "\n    " + path;
    }
  }
  throw Error(ErrorCode::kNotFound, "found no plugin for '" + std::string(name) + "'; " + kVariable + " is " +
                                        (variable == nullptr ? "not set" : "'" + std::string(variable) + "'") +
                                        ", and none of these files exists:" + looked + "\nSet " + kVariable + "=" +
                                        std::string(name) + ":/path/to/plugin.so or install one there");
}

}  // namespace replicator::pjrt
