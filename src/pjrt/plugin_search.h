// Where plugins are looked for.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace replicator::pjrt {

// Parses the value of PJRT_NAMES_AND_LIBRARY_PATHS, "name:path,name2:path2"; blanks around entries are ignored, and a
// path may contain colons. Throws Error(kInvalidArgument) for an entry without name or path, or a name given twice.
std::map<std::string, std::string> ParsePluginPaths(std::string_view text);

// The path of the plugin called `name`: the entry of the environment variable PJRT_NAMES_AND_LIBRARY_PATHS, else the
// first of `files` that exists below one of PluginDirectories(). The entry of the environment is returned as it stands,
// so that a wrong one is reported and not passed over. Throws Error(kNotFound), listing where it looked.
std::string FindPlugin(std::string_view name, const std::vector<std::string>& files);

// <directory of the program>/../lib/replicator/plugins, then the directory chosen when the library was built.
std::vector<std::string> PluginDirectories();

}  // namespace replicator::pjrt
