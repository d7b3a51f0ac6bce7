// A compiled program, not bound to devices: what can be learnt about it, and its bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "replicator/base/shape.h"

struct PJRT_Api;
struct PJRT_Executable;

namespace replicator::pjrt {

// Bytes per device.
struct CompiledMemoryStats {
  int64_t code = 0;
  int64_t arguments = 0;
  int64_t outputs = 0;
  int64_t aliased = 0;  // of the outputs, how many reuse arguments
  int64_t temporaries = 0;
  int64_t peak = 0;  // 0 where the plugin does not say
};

// Owns one; movable. Thread-safe. Must not outlive the topology or client that compiled it.
class UnloadedExecutable {
 public:
  // Takes ownership.
  UnloadedExecutable(const PJRT_Api* api, PJRT_Executable* executable) : api_(api), executable_(executable) {}
  UnloadedExecutable(UnloadedExecutable&& other) noexcept
      : api_(other.api_), executable_(std::exchange(other.executable_, nullptr)) {}
  UnloadedExecutable& operator=(UnloadedExecutable&&) = delete;
  ~UnloadedExecutable();

  std::string Name() const;
  int NumReplicas() const;
  int NumPartitions() const;
  // Of one device. Throws Error(kUnimplemented) for an element type that the library does not have.
  std::vector<Shape> OutputShapes() const;
  // None where the plugin has none.
  std::optional<std::string> Fingerprint() const;
  std::optional<CompiledMemoryStats> MemoryStats() const;
  // "flops", "bytes accessed", ...; none where the plugin has no analysis.
  std::optional<std::map<std::string, double>> CostAnalysis() const;
  // For Client::Load, of the same plugin build on the same kind of machine.
  std::string Serialize() const;
  // The optimised program in the plugin's own format (".first": "hlo_with_config", ...).
  std::pair<std::string, std::string> OptimizedProgram() const;

 private:
  const PJRT_Api* api_;
  PJRT_Executable* executable_;
};

}  // namespace replicator::pjrt
