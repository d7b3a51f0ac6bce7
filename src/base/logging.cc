#include "base/logging.h"

#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdlib>
#include <string>

namespace replicator {
namespace {

spdlog::logger& Logger() {
  static const std::shared_ptr<spdlog::logger> logger = [] {
    auto made = std::make_shared<spdlog::logger>("replicator", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    made->set_pattern("%^[%L %H:%M:%S]%$ %v");
    const char* level = std::getenv("REPLICATOR_LOG");
    made->set_level(level != nullptr ? spdlog::level::from_str(level) : spdlog::level::warn);
    return made;
  }();
  return *logger;
}

}  // namespace

void LogInfo(std::string_view message) { Logger().info("{}", message); }
void LogWarning(std::string_view message) { Logger().warn("{}", message); }
void LogError(std::string_view message) { Logger().error("{}", message); }

}  // namespace replicator
