// Thirty seeded faults in the placeholders of one replica, each refused with the user's two lines; ten good programs.
#include "replicate/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <random>

#include "replicate/rewrite.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using testing::HasSubstr;

// One line each, so that every call of a program has a line of its own.
const SourceLocation kHere = SourceLocation::current();
const SourceLocation kLines[] = {
    SourceLocation::current(), SourceLocation::current(), SourceLocation::current(),
    SourceLocation::current(), SourceLocation::current(), SourceLocation::current(),
};
const SourceLocation kFaultyLine = SourceLocation::current();

struct Call {
  enum Kind { kSum, kMean, kMin, kMax, kGather, kBroadcast } kind;
  DType dtype;
  Dims dims;
  int source = 0;
  int line = 0;  // index into kLines, or -1 for the faulty one
  friend bool operator==(const Call& a, const Call& b) {
    return a.kind == b.kind && a.dtype == b.dtype && a.dims == b.dims &&
           (a.kind != Call::kBroadcast || a.source == b.source);
  }
};

SourceLocation Line(const Call& call) { return call.line < 0 ? kFaultyLine : kLines[call.line]; }

Tensor Make(const Call& call, const Tensor& seed) {
  const Operand x(Convert(BroadcastTo(seed, call.dims), call.dtype), Line(call));
  switch (call.kind) {
    case Call::kSum:
      return AllSum(x);
    case Call::kMean:
      return AllMean(x);
    case Call::kMin:
      return AllMin(x);
    case Call::kMax:
      return AllMax(x);
    case Call::kGather:
      return AllGather(x);
    case Call::kBroadcast:
      break;
  }
  return Broadcast(x, call.source);
}

Program Build(const std::vector<std::vector<Call>>& calls_of_replica) {
  VariableTable variables;
  StepOptions options;
  options.num_replicas = static_cast<int>(calls_of_replica.size());
  options.inputs = {{"x", Shape{DType::kF32, {}}}};
  options.where = kHere;
  const ReplicaSteps steps = BuildReplicaSteps(
      [&](const std::map<std::string, Tensor>& inputs) {
        std::vector<Tensor> results;
        const auto replica = static_cast<size_t>(ReplicaContext::Current().replica_index());
        for (const Call& call : calls_of_replica[replica]) results.push_back(Make(call, inputs.at("x")));
        return std::vector<Tensor>{inputs.at("x")};
      },
      variables, options);
  return Rewrite(steps, options);
}

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  int Below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  Call Random() {
    static const Dims kDims[] = {{}, {3}, {2, 5}, {1, 1, 4}};
    return {static_cast<Call::Kind>(Below(6)), Below(2) == 0 ? DType::kF32 : DType::kF64, kDims[Below(4)], Below(2)};
  }
  std::vector<Call> Program(int count) {
    std::vector<Call> calls;
    for (int i = 0; i < count; ++i) {
      calls.push_back(Random());
      calls.back().line = i;
    }
    return calls;
  }

 private:
  std::mt19937 random_;
};

const char* const kFaults[] = {"missing", "extra", "swapped", "shape", "dtype", "operation", "source"};

// Breaks `calls` and returns the place of the first difference, or -1 if this fault does not apply to this program.
int Break(const std::string& fault, std::vector<Call>& calls, Generator& random) {
  const int at = random.Below(static_cast<int>(calls.size()));
  Call& call = calls[static_cast<size_t>(at)];
  if (fault == "missing") {
    const Call removed = call;
    calls.erase(calls.begin() + at);
    const auto place = static_cast<size_t>(at);
    return place < calls.size() && calls[place] == removed ? -1 : at;
  }
  if (fault == "extra") {
    Call extra = random.Random();
    extra.line = -1;
    if (extra == call) return -1;
    calls.insert(calls.begin() + at, extra);
    return at;
  }
  if (fault == "swapped") {
    if (at + 1 == static_cast<int>(calls.size()) || calls[static_cast<size_t>(at) + 1] == call) return -1;
    std::swap(call, calls[static_cast<size_t>(at) + 1]);
    return at;
  }
  call.line = -1;
  if (fault == "shape") call.dims.push_back(2);
  if (fault == "dtype") call.dtype = call.dtype == DType::kF32 ? DType::kF64 : DType::kF32;
  if (fault == "operation") call.kind = static_cast<Call::Kind>((call.kind + 1) % 6);
  if (fault == "source") {
    if (call.kind != Call::kBroadcast) return -1;
    call.source = 1 - call.source;
  }
  return at;
}

TEST(MatchPlaceholders, RefusesThirtySeededFaultsWithBothLines) {
  int refused = 0;
  for (uint32_t seed = 0; refused < 30; ++seed) {
    ASSERT_LT(seed, 1000u);
    Generator random(seed);
    const std::string fault = kFaults[seed % std::size(kFaults)];
    const int replicas = 2 + random.Below(3);
    const std::vector<Call> good = random.Program(2 + random.Below(5));
    std::vector<Call> bad = good;
    const int at = Break(fault, bad, random);
    if (at < 0) continue;
    std::vector<std::vector<Call>> calls(static_cast<size_t>(replicas), good);
    const int faulty = random.Below(replicas);
    calls[static_cast<size_t>(faulty)] = bad;
    SCOPED_TRACE(fault + ", seed " + std::to_string(seed) + ", replica " + std::to_string(faulty));

    const auto start = std::chrono::steady_clock::now();
    try {
      Build(calls);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_THAT(error.message(), HasSubstr("replica " + std::to_string(faulty == 0 ? 1 : faulty)));
      EXPECT_THAT(error.message(), HasSubstr("replica 0"));
      // The line at the place of the difference on either side; where a side has nothing left there, its last one.
      const auto line = [&](const std::vector<Call>& side) {
        const auto place = std::min(static_cast<size_t>(at), side.size() - 1);
        return Line(side[place]).line();
      };
      std::vector<uint32_t> lines;
      for (const SourceLocation& where : error.where()) lines.push_back(where.line());
      EXPECT_THAT(lines, testing::UnorderedElementsAre(line(good), line(bad))) << error.what();
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
    ++refused;
  }
}

TEST(MatchPlaceholders, AcceptsTenGoodPrograms) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    Generator random(1000 + seed);
    const std::vector<Call> calls = random.Program(1 + random.Below(6));
    const Program program = Build(std::vector<std::vector<Call>>(2 + seed % 3, calls));
    EXPECT_EQ(program.placeholders.size(), calls.size());
    EXPECT_THAT(program.class_of_replica, testing::Each(0));
  }
}

TEST(MatchPlaceholders, EqualCallsFromDifferentLinesMatch) {
  const Call call{Call::kSum, DType::kF32, {3}, 0, 0};
  Call elsewhere = call;
  elsewhere.line = 4;
  const Program program = Build({{call}, {elsewhere}});
  EXPECT_EQ(program.placeholders.size(), 1u);
}

}  // namespace
}  // namespace replicator
