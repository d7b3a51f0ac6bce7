// docs/semantics.md, "Collectives" and what replicators do outside of steps.
#include "program.h"

namespace replicator::testing_support {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

template <typename T>
struct Statistics {
  T sum, largest;
  std::vector<T> parts;
  auto Members() { return std::tie(sum, largest, parts); }
};

// The replica's number plus one.
Tensor Own() { return Convert(ReplicaContext::Current().replica_id(), DType::kF32) + 1; }

TEST(Collectives, AStructOfOnesOwnComesBackAsThatStruct) {
  LocalReplicator repl({.num_replicas = 3});
  const auto step = [] {
    const Tensor x = Own();
    return AllSum(Statistics<Tensor>{x, x * x, {x * 2.0, x * 3.0}});
  };
  const Statistics<PerReplica> results = repl.Run(step);
  Session session;
  repl.Init(session);
  EXPECT_EQ(session.Run(results.sum).Item<float>(), 6);
  EXPECT_EQ(session.Run(results.largest).Item<float>(), 14);
  EXPECT_EQ(session.Run(results.parts[1]).Item<float>(), 18);
}

TEST(Collectives, ReplicasMustReturnTheSameStructure) {
  LocalReplicator repl({.num_replicas = 2});
  const Error error = ErrorOf([&] {
    repl.Run([] {
      std::map<std::string, Tensor> result = {{"loss", Own()}};
      result.emplace(ReplicaContext::Current().replica_index() == 0 ? "accuracy" : "error", Own());
      return result;
    });
  });
  EXPECT_THAT(error.message(), HasSubstr("{error: *, loss: *} in replica 1, but {accuracy: *, loss: *} in replica 0"));
}

// Tokens are spread unevenly: 1 on replica 0, 2 on replica 1, 3 on replica 2. The mean is over the tokens.
TEST(Collectives, AWeightedMeanCountsEveryTokenOnce) {
  LocalReplicator repl({.num_replicas = 3});
  const auto [mean, by_weight, nothing] = repl.Run([] {
    const Tensor position = Iota({DType::kF32, {4}});
    const Tensor mask = position < Own();
    // What is masked may be anything.
    const Tensor value = Select(mask, position + 10.0 * Own(), kNaN);
    return std::tuple(WeightedMean(value, mask), WeightedMean(Own(), Own()), WeightedMean(value, mask & (Own() > 7)));
  });
  Session session;
  repl.Init(session);
  // 10; 20, 21; 30, 31, 32
  EXPECT_FLOAT_EQ(session.Run(mean).Item<float>(), (10 + 20 + 21 + 30 + 31 + 32) / 6.0F);
  EXPECT_FLOAT_EQ(session.Run(by_weight).Item<float>(), (1 + 4 + 9) / 6.0F);
  EXPECT_EQ(session.Run(nothing).Item<float>(), 0);
}

TEST(Collectives, AWeightedMeanOfNothingHasNoGradient) {
  LocalReplicator repl({.num_replicas = 2});
  const auto gradients = repl.Run([] {
    const Tensor x = Own(), weight = Own() * 0.0;
    return Gradients(WeightedMean(x * x, weight), std::vector<Tensor>{x, weight});
  });
  Session session;
  repl.Init(session);
  for (const PerReplica& gradient : gradients) {
    for (const Literal& value : session.Run(gradient).GetAll()) EXPECT_EQ(value.Item<float>(), 0);
  }
}

TEST(Collectives, MapReduceAndMapGatherCallTheirFunctionInEachReplica) {
  LocalReplicator repl({.num_replicas = 3});
  const auto [sum, first, all] = repl.Run([] {
    return std::tuple(
        MapReduce([](ReplicaContext replica) { return Convert(replica.replica_id(), DType::kI32); }, ReduceOp::kSum),
        MapReduce([] { return std::vector<Tensor>{Own()}; }, ReduceOp::kOnlyFirstReplica),
        MapGather([] { return std::pair(Own(), Own() * 2.0); }));
  });
  Session session;
  repl.Init(session);
  EXPECT_EQ(session.Run(sum).Item<int>(), 3);
  EXPECT_EQ(session.Run(first[0]).Item<float>(), 1);
  EXPECT_THAT(session.Run(all.second).Get().ToDoubles(), ElementsAre(2, 4, 6));
}

TEST(Collectives, MergeCallCallsItsFunctionOnceForAllReplicas) {
  constexpr int kReplicas = 4;
  LocalReplicator repl({.num_replicas = kReplicas});
  int calls = 0;
  const auto median = [&](const std::vector<Tensor>& x, const std::vector<std::map<std::string, Tensor>>& others) {
    ++calls;
    EXPECT_EQ(x.size(), static_cast<size_t>(kReplicas));
    return std::pair(x[3] * 10.0 + x[0], others[1].at("b"));
  };
  const auto [result, other] = repl.Run([&] {
    MergeCall([](const std::vector<Tensor>& x) { return x[0]; }, Own());  // another one before it
    return MergeCall(median, Own(), std::map<std::string, Tensor>{{"a", Own()}, {"b", Own() * 5.0}});
  });
  EXPECT_EQ(calls, 1);
  EXPECT_TRUE(result.replicated());
  Session session;
  repl.Init(session);
  EXPECT_EQ(session.Run(result).Item<float>(), 41);
  EXPECT_EQ(session.Run(other).Item<float>(), 10);
}

TEST(Collectives, MergeCallsThatDifferAreRefusedWithBothLines) {
  LocalReplicator repl({.num_replicas = 2});
  const auto first = [](const std::vector<Tensor>& x) { return x[0]; };
  const auto second = [](const std::vector<Tensor>& x) { return x[1]; };
  const SourceLocation a = SourceLocation::current();
  const SourceLocation b = SourceLocation::current();
  const auto index = [] { return ReplicaContext::Current().replica_index(); };
  const Error shape = ErrorOf([&] {
    repl.Run([&] { return index() == 0 ? MergeCall(first, Own(), a) : MergeCall(first, Ones({DType::kF32, {2}}), b); });
  });
  EXPECT_THAT(shape.message(), HasSubstr("replica 0 calls it with (f32[])"));
  EXPECT_THAT(shape.message(), HasSubstr("replica 1 with (f32[2])"));
  EXPECT_THAT(LinesOf(shape), ElementsAre(a.line(), b.line()));
  const Error function = ErrorOf(
      [&] { repl.Run([&] { return index() == 0 ? MergeCall(first, Own(), a) : MergeCall(second, Own(), b); }); });
  EXPECT_THAT(function.message(), HasSubstr("another function"));
  EXPECT_THAT(LinesOf(function), ElementsAre(a.line(), b.line()));
  const Error extra = ErrorOf([&] {
    repl.Run([&] {
      if (index() == 1) MergeCall(first, Own(), b);
      return Own();
    });
  });
  EXPECT_THAT(extra.message(), HasSubstr("replica 1 calls a MergeCall number 1"));
  EXPECT_THAT(LinesOf(extra), ElementsAre(b.line()));
}

TEST(Collectives, TheFunctionOfAMergeCallIsNoReplicas) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable v = ScalarVariable("v");
  const auto refusal = [&](const std::function<Tensor(const Tensor&)>& inside) {
    return ErrorOf([&] {
             repl.Run([&] { return MergeCall([&](const std::vector<Tensor>& x) { return inside(x[0]); }, Own()); });
           })
        .message();
  };
  EXPECT_THAT(refusal([](const Tensor& x) { return AllSum(x); }), HasSubstr("all_sum was called in its function"));
  EXPECT_THAT(refusal([](const Tensor& x) { return x * Own(); }), HasSubstr("replica_id was called in its function"));
  EXPECT_THAT(refusal([&](const Tensor& x) { return x * v; }), HasSubstr("'v' cannot be read here"));
}

TEST(CrossReplica, ReduceAndBroadcastTakeNestsOfResults) {
  LocalReplicator repl({.num_replicas = 3});
  const auto results = repl.Run([] { return std::map<std::string, Tensor>{{"a", Own()}, {"b", Own() * Own()}}; });
  const std::map<std::string, Fetch> sums = repl.Reduce(results, ReduceOp::kSum);
  const std::map<std::string, PerReplica> of_last = repl.Broadcast(results, 2);
  Session session;
  repl.Init(session);
  EXPECT_EQ(session.Run(sums.at("a")).Item<float>(), 6);
  EXPECT_EQ(session.Run(sums.at("b")).Item<float>(), 14);
  EXPECT_TRUE(of_last.at("b").replicated());
  EXPECT_EQ(session.Run(of_last.at("b")).Item<float>(), 9);
  EXPECT_EQ(session.Run(of_last.at("b")).Get(0).Item<float>(), 9);
  EXPECT_EQ(session.Run(ReduceMean(of_last.at("b"))).Item<float>(), 9);
  EXPECT_EQ(session.Run(Reduce(of_last.at("b"), ReduceOp::kMax)).Item<float>(), 9);
  EXPECT_THAT(ErrorOf([&] { repl.Broadcast(results, 3); }).message(), HasSubstr("there are 3 replicas"));
  EXPECT_THROW(Reduce(of_last.at("a"), ReduceOp::kSum), Error);
}

TEST(CrossReplica, UpdateSetsAVariableOnAllReplicas) {
  LocalReplicator repl({.num_replicas = 3});
  const auto scope = repl.Context();
  const Variable v = ScalarVariable("v", 5);
  const Variable local(
      {.name = "local", .shape = {DType::kF32, {}}, .initializer = ZeroInit, .aggregation = Aggregation::kSum});
  const PerReplica set = repl.Update(v, Literal::Scalar(7.0F));
  const PerReplica halve = repl.Update(v, [](const Tensor& before) { return before / 2.0; });
  const PerReplica own = repl.Update(local, [&](const Tensor& before) { return before + v * Own(); });
  Session session;
  repl.Init(session);
  session.Run(halve);
  EXPECT_EQ(session.Read(v).Item<float>(), 2.5F);
  session.Run(set);
  for (int r = 0; r < 3; ++r) EXPECT_EQ(session.ReadReplica(v, r).Item<float>(), 7);
  session.Run(own);
  EXPECT_EQ(session.ReadReplica(local, 2).Item<float>(), 21);
  EXPECT_THROW(repl.Update(v, Literal::Scalar(1.0)), GraphError);
  EXPECT_THROW(repl.Update(v, [](const Tensor&) { return Own(); }), GraphError);
}

}  // namespace
}  // namespace replicator::testing_support
