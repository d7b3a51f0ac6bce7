#include "pjrt/client.h"
#include "platforms/platform.h"
#include "replicator/replicator.h"
#include "sections.h"

namespace replicator::bench {
namespace {

constexpr int kBoundaries = 20, kSteps = 5;

// The same copies, one after another, and nothing else.
void CopyAlone(std::vector<pjrt::Buffer>& values, const pjrt::Client& client) {
  for (int i = 0; i < kBoundaries * kSteps; ++i) {
    for (size_t r = 0; r < values.size(); ++r) {
      values[r] = values[r].CopyTo(client.devices()[2 * r + static_cast<size_t>(i + 1) % 2]);
    }
  }
  for (const pjrt::Buffer& value : values) value.ReadyEvent().Await();
}

// A value goes forth and back between two devices; figures are per boundary.
Ratio Measure(int replicas, int64_t elements, int pairs) {
  LocalReplicator repl({.num_replicas = replicas, .num_logical_devices_per_replica = 2});
  const auto scope = repl.Context();
  const Shape shape{DType::kF32, {elements}};
  const Variable start(
      {.name = "start", .shape = shape, .initializer = [](const Shape& wanted) { return Zeros(wanted); }});
  const PerReplica step = repl.Run(
      [&] {
        Tensor value = start.Read();
        for (int i = 0; i <= kBoundaries; ++i) {
          const LogicalDevice device(i % 2);
          value = value + 1.0;
        }
        start.Assign(value);
      },
      {.nan_guard = false});
  Session session;
  repl.Init(session);
  const auto ours = [&] {
    for (int i = 0; i < kSteps; ++i) session.Run(step);
    session.Wait();
  };

  const auto client = platforms::CreateClient({.platform = "cpu", .num_devices = 2 * replicas});
  std::vector<pjrt::Buffer> values;
  for (size_t r = 0; r < static_cast<size_t>(replicas); ++r) {
    values.push_back(client->Put(Literal(shape), client->devices()[2 * r]));
  }
  const Ratio what{.name = "segment boundary, " + std::to_string(4 * elements) + " bytes, " + std::to_string(replicas) +
                           (replicas == 1 ? " replica" : " replicas"),
                   .against = "the copy alone",
                   .limit = 1,
                   .allowed_us = 100};
  return Compare(
      what, 2 * pairs, kSteps * kBoundaries, [&] { return SecondsOf(ours); },
      [&] { return SecondsOf([&] { CopyAlone(values, *client); }); });
}

}  // namespace

std::vector<Ratio> SegmentRatios(const Options& options) {
  std::vector<Ratio> results;
  for (const int replicas : {1, 2}) {
    for (const int64_t elements : {1, 1 << 16}) {
      results.push_back(Measure(replicas, elements, options.pairs));
      Print(results.back());
    }
  }
  return results;
}

}  // namespace replicator::bench
