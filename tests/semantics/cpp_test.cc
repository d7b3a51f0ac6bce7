// docs/semantics.md, "C++".
#include "program.h"

#include <memory>
#include <thread>
#include <type_traits>

namespace replicator::testing_support {
namespace {

using testing::HasSubstr;

static_assert(!std::is_copy_constructible_v<ContextScope> && !std::is_move_constructible_v<ContextScope>);

TEST(Cpp, ContextsNestForOneReplicatorOnly) {
  LocalReplicator repl({.num_replicas = 1}), other({.num_replicas = 1});
  const auto outer = repl.Context();
  {
    const auto inner = repl.Context();
    ScalarVariable("inner");
  }
  ScalarVariable("outer");
  const uint32_t line = SourceLocation::current().line() + 1;
  const Error error = ErrorOf([&] { const auto foreign = other.Context(); });
  EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
  EXPECT_EQ(LinesOf(error).front(), line);
}

TEST(Cpp, AVariableNeedsAContext) {
  EXPECT_EQ(ErrorOf([] { ScalarVariable("v"); }).code(), ErrorCode::kFailedPrecondition);
}

TEST(Cpp, RunEntersItsOwnContext) {
  LocalReplicator repl({.num_replicas = 2});
  const nn::Dense model({.units = 2});
  EXPECT_NO_THROW(repl.Run([&](const Batch& batch) { return model(Reshape(batch["x"], {-1, 1})); }, Counting(4, 2)));
}

TEST(Cpp, AnyOrderOfDestructionWorks) {
  auto repl = std::make_unique<LocalReplicator>(LocalReplicatorOptions{.num_replicas = 2});
  const PerReplica x = repl->Run([](const Batch& batch) { return batch["x"]; }, Counting(4, 1));
  auto session = std::make_unique<Session>();
  repl->Init(*session);
  const Fetched value = session->Run(x);
  repl.reset();
  const Fetched second = session->Run(x);
  session.reset();
  EXPECT_EQ(value.Get(1).Item<float>(), 1.0f);
  EXPECT_EQ(second.Get(1).Item<float>(), 3.0f);
}

TEST(Cpp, ShutdownIsIdempotentAndFinal) {
  LocalReplicator repl({.num_replicas = 1});
  const PerReplica one = repl.Run([] { return Constant(1.0); });
  Session session;
  repl.Init(session);
  session.Run(one);
  repl.Shutdown(session);
  repl.Shutdown(session);
  EXPECT_EQ(ErrorOf([&] { session.Run(one); }).code(), ErrorCode::kFailedPrecondition);
}

TEST(Cpp, ASessionServesManyThreads) {
  LocalReplicator repl({.num_replicas = 2});
  const auto scope = repl.Context();
  const Variable count = ScalarVariable("count");
  const PerReplica step = repl.Run([&] {
    count.AssignAdd(1.0);
    return count.Read();
  });
  Session session;
  repl.Init(session);
  constexpr int kThreads = 8, kRuns = 50;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRuns; ++i) session.Run(step);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(session.Read(count).Item<float>(), static_cast<float>(kThreads * kRuns));
}

TEST(Cpp, NumbersTakeTheTypeOfTheTensor) {
  LocalReplicator repl({.num_replicas = 1});
  repl.Run([] {
    const Tensor f = Zeros({DType::kBF16, {2}}), i = Zeros({DType::kI64, {2}});
    EXPECT_EQ((1 - f * 0.5).dtype(), DType::kBF16);
    EXPECT_EQ((i + 3).dtype(), DType::kI64);
    EXPECT_THAT(ErrorOf([&] { i + 0.5; }).message(), HasSubstr("cannot be represented in i64"));
    EXPECT_THAT(ErrorOf([&] { f + i; }).message(), HasSubstr("same dtype"));
    return f;
  });
}

TEST(Cpp, AModulesErrorShowsTheUsersLineFirst) {
  LocalReplicator repl({.num_replicas = 1});
  const nn::Conv2D conv({.filters = 2, .kernel_size = {3, 3}});
  uint32_t line = 0;
  const Error error = ErrorOf([&] {
    repl.Run([&] {
      line = SourceLocation::current().line() + 1;
      return conv(Zeros({DType::kF32, {2, 5}}));
    });
  });
  EXPECT_EQ(LinesOf(error).front(), line);
}

TEST(Cpp, MoreReplicasThanAnyMachineHasIsStillFineOnTheCpu) {
  LocalReplicator repl({.num_replicas = 16});
  const PerReplica id = repl.Run([] { return AllSum(Convert(ReplicaContext::Current().replica_id(), DType::kI32)); });
  Session session;
  repl.Init(session);
  EXPECT_EQ(session.Run(id).Item<int>(), 120);
}

TEST(Cpp, UnknownPlatformsAndReplicaCountsAreRefused) {
  EXPECT_THAT(ErrorOf([] { LocalReplicator({.platform = "abacus"}); }).message(), HasSubstr("cpu"));
  EXPECT_EQ(ErrorOf([] { LocalReplicator({.num_replicas = 0}); }).code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace replicator::testing_support
