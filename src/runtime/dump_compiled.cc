#include "runtime/dump_compiled.h"

#include <fmt/format.h>

#include "replicate/dump.h"
#include "replicator/base/error.h"

namespace replicator {
namespace {

std::string Statistics(const pjrt::UnloadedExecutable& executable) {
  std::string text = "memory per device, in bytes\n";
  const auto line = [&](const char* name, int64_t bytes) { text += fmt::format("  {:<14}{:>16}\n", name, bytes); };
  if (const auto memory = executable.MemoryStats()) {
    line("arguments", memory->arguments);
    line("outputs", memory->outputs);
    line("aliased", memory->aliased);
    line("temporaries", memory->temporaries);
    line("code", memory->code);
    if (memory->peak > 0) line("peak", memory->peak);
  } else {
    text += "  the plugin does not say\n";
  }
  text += "\ncost of one execution on one device, as the compiler estimates it\n";
  const auto costs = executable.CostAnalysis();
  if (!costs.has_value()) return text + "  the plugin does not say\n";
  for (const auto& [name, value] : *costs) {
    if (name.find('{') == std::string::npos)
      text += fmt::format("  {:<28}{:>20.6g}\n", name, value);  // else of one operand
  }
  return text;
}

}  // namespace

void DumpCompiled(const std::string& folder, const std::string& prefix, const std::string& mlir,
                  const pjrt::UnloadedExecutable& executable) {
  if (folder.empty()) return;
  WriteDump(folder, prefix + "step.mlir", mlir);
  std::string statistics;
  try {
    statistics = Statistics(executable);
  } catch (const Error& error) {
    statistics = "there are no statistics: " + error.message() + "\n";
  }
  WriteDump(folder, prefix + "statistics.txt", statistics);
}

}  // namespace replicator
