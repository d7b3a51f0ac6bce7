// Twenty-four seeded faults in one replica's nests, pairs, axes and weights, each refused with the user's two lines;
// ten good programs over all primitives.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "replicate/match.h"
#include "replicate/rewrite.h"
#include "replicator/ops/collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

using testing::HasSubstr;

const SourceLocation kHere = SourceLocation::current();
const SourceLocation kLines[] = {SourceLocation::current(), SourceLocation::current(), SourceLocation::current(),
                                 SourceLocation::current()};
const SourceLocation kFaultyLine = SourceLocation::current();

struct Call {
  enum Kind { kSum, kMean, kMin, kMax, kWeighted, kGather, kBroadcast, kScatter, kAllToAll, kPermute };
  Kind kind = kSum;
  bool named = false;  // a map by `names`, else a vector
  std::vector<std::string> names = {"bias", "kernel", "scale"};
  std::vector<Shape> leaves;
  int source = 0, split_axis = 0, concat_axis = 1;
  PermutePairs pairs = {{0, 1}, {1, 0}};
  SourceLocation line;
};

template <typename Nest>
Nest Apply(const Call& call, const Nest& x) {
  switch (call.kind) {
    case Call::kSum:
      return AllSum(x, call.line);
    case Call::kMean:
      return AllMean(x, call.line);
    case Call::kMin:
      return AllMin(x, call.line);
    case Call::kMax:
      return AllMax(x, call.line);
    case Call::kWeighted:
      return WeightedMean(x, Operand(2.0, call.line), {.axes = std::vector<int>{}}, call.line);
    case Call::kGather:
      return AllGather(x, call.line);
    case Call::kBroadcast:
      return Broadcast(x, call.source, call.line);
    case Call::kScatter:
      return ReduceScatter(x, call.line);
    case Call::kAllToAll:
      return AllToAll(x, call.split_axis, call.concat_axis, call.line);
    case Call::kPermute:
      break;
  }
  return Permute(x, call.pairs, call.line);
}

void Make(const Call& call, const Tensor& seed) {
  std::vector<Tensor> leaves;
  for (const Shape& shape : call.leaves) leaves.push_back(Convert(BroadcastTo(seed, shape.dims), shape.dtype));
  if (!call.named) return static_cast<void>(Apply(call, leaves));
  std::map<std::string, Tensor> nest;
  for (size_t i = 0; i < leaves.size(); ++i) nest.emplace(call.names[i], leaves[i]);
  Apply(call, nest);
}

Program Build(const std::vector<std::vector<Call>>& calls_of_replica) {
  VariableTable variables;
  StepOptions options;
  options.num_replicas = static_cast<int>(calls_of_replica.size());
  options.inputs = {{"x", Shape{DType::kF32, {}}}};
  options.where = kHere;
  const ReplicaSteps steps = BuildReplicaSteps(
      [&](const std::map<std::string, Tensor>& inputs) {
        const auto replica = static_cast<size_t>(ReplicaContext::Current().replica_index());
        for (const Call& call : calls_of_replica[replica]) Make(call, inputs.at("x"));
        return std::vector<Tensor>{inputs.at("x")};
      },
      variables, options);
  return Rewrite(steps, options);
}

class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  int Below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }
  std::vector<Call> Program() {
    std::vector<Call> calls(static_cast<size_t>(2 + Below(3)));
    for (size_t i = 0; i < calls.size(); ++i) {
      calls[i].kind = static_cast<Call::Kind>(Below(10));
      calls[i].named = Below(2) == 0;
      calls[i].leaves = {{DType::kF32, {12, 4}}, {Below(2) == 0 ? DType::kF32 : DType::kF64, {24, 4}}};
      calls[i].line = kLines[i];
    }
    return calls;
  }

 private:
  std::mt19937 random_;
};

struct Fault {
  const char* name;
  bool (*applies)(const Call& call);
  void (*make)(Call& call);
};
bool Always(const Call&) { return true; }
const Fault kFaults[] = {
    {"a leaf is missing", Always, [](Call& call) { call.leaves.pop_back(); }},
    {"a leaf is added", Always, [](Call& call) { call.leaves.push_back(call.leaves[0]); }},
    {"leaves are swapped", Always, [](Call& call) { std::swap(call.leaves[0], call.leaves[1]); }},
    {"a leaf's shape", Always, [](Call& call) { call.leaves[1].dims[0] *= 2; }},
    {"a leaf's dtype", Always, [](Call& call) { call.leaves[0].dtype = DType::kF64; }},
    {"a name", [](const Call& call) { return call.named; }, [](Call& call) { call.names[1] = "kernels"; }},
    {"another structure", Always, [](Call& call) { call.named = !call.named; }},
    {"the operation", Always, [](Call& call) { call.kind = static_cast<Call::Kind>((call.kind + 1) % 10); }},
    {"the source", [](const Call& call) { return call.kind == Call::kBroadcast; }, [](Call& call) { call.source = 1; }},
    {"the pairs", [](const Call& call) { return call.kind == Call::kPermute; },
     [](Call& call) { call.pairs = {{0, 1}}; }},
    {"the targets", [](const Call& call) { return call.kind == Call::kPermute; },
     [](Call& call) { call.pairs = {{0, 0}, {1, 1}}; }},
    {"the split axis", [](const Call& call) { return call.kind == Call::kAllToAll; },
     [](Call& call) { call.split_axis = 1; }},
    {"the concat axis", [](const Call& call) { return call.kind == Call::kAllToAll; },
     [](Call& call) { call.concat_axis = 0; }},
};

TEST(MatchNests, RefusesTwentySixSeededFaultsWithBothLines) {
  for (size_t f = 0; f < 2 * std::size(kFaults); ++f) {
    const Fault& fault = kFaults[f / 2];
    Generator random(static_cast<uint32_t>(f));
    std::vector<Call> good = random.Program();
    size_t at = static_cast<size_t>(random.Below(static_cast<int>(good.size())));
    while (!fault.applies(good[at])) {
      good = random.Program();
      at = static_cast<size_t>(random.Below(static_cast<int>(good.size())));
    }
    std::vector<std::vector<Call>> calls(static_cast<size_t>(2 + 2 * random.Below(2)), good);
    const size_t faulty = static_cast<size_t>(random.Below(static_cast<int>(calls.size())));
    Call& bad = calls[faulty][at];
    bad.line = kFaultyLine;
    fault.make(bad);
    SCOPED_TRACE(std::string(fault.name) + ", replica " + std::to_string(faulty));
    try {
      Build(calls);
      ADD_FAILURE() << "accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      EXPECT_THAT(error.message(), HasSubstr("replica 0 calls"));
      EXPECT_THAT(error.message(), HasSubstr("replica " + std::to_string(faulty == 0 ? 1 : faulty) + " calls"));
      std::vector<uint32_t> lines;
      for (const SourceLocation& where : error.where()) lines.push_back(where.line());
      EXPECT_THAT(lines, testing::UnorderedElementsAre(kLines[at].line(), kFaultyLine.line())) << error.what();
    }
  }
}

TEST(MatchNests, AcceptsTenGoodPrograms) {
  for (uint32_t seed = 0; seed < 10; ++seed) {
    Generator random(1000 + seed);
    const std::vector<Call> calls = random.Program();
    const Program program = Build(std::vector<std::vector<Call>>(seed % 2 == 0 ? 2 : 4, calls));
    EXPECT_EQ(program.placeholders.size(), calls.size());
    EXPECT_THAT(program.class_of_replica, testing::Each(0));
  }
}

TEST(MatchNests, TheErrorShowsBothStructures) {
  Call call, other;
  call.kind = other.kind = Call::kPermute;
  call.named = other.named = true;
  call.leaves = {{DType::kF32, {3}}, {DType::kI64, {}}};
  other.leaves = {{DType::kF32, {3}}};
  other.pairs = {{0, 1}};
  call.line = other.line = kHere;
  try {
    Build({{call}, {other}});
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("replica 0 calls permute({bias: f32[3], kernel: i64[]}) {pairs=[0,1,1,0]}"));
    EXPECT_THAT(error.message(), HasSubstr("replica 1 calls permute({bias: f32[3]}) {pairs=[0,1]}"));
  }
}

}  // namespace
}  // namespace replicator
