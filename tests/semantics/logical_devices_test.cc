// docs/semantics.md, "Logical devices".
#include "program.h"

namespace replicator {
namespace {

using namespace testing_support;  // NOLINT: helpers of these tests
using testing::ElementsAre;
using testing::HasSubstr;

LocalReplicator Pairs(int replicas) {
  return LocalReplicator({.num_replicas = replicas, .seed = 1, .num_logical_devices_per_replica = 2});
}

TEST(LogicalDevices, ALayerLivesWhereItIsCalled) {
  LocalReplicator repl = Pairs(2);
  const auto context = repl.Context();
  const nn::Dense near({.units = 2, .name = "near"}), far({.units = 3, .name = "far"});
  const PerReplica sizes = repl.Run(
      [&](const Batch& batch) {
        const Tensor x = near(Reshape(batch["x"], {4, 1}));
        const LogicalDevice scope(1);
        const Tensor y = far(x);
        EXPECT_EQ(x.logical_device(), 0);
        EXPECT_EQ(y.logical_device(), 1);
        return AllMean(ReduceSum(Abs(y)));
      },
      Counting(16, 4));
  EXPECT_EQ(repl.FindVariable("near/kernel").logical_device(), 0);
  EXPECT_EQ(repl.FindVariable("far/kernel").logical_device(), 1);
  Session session;
  repl.Init(session);
  EXPECT_GT(session.Run(sizes).Item<float>(), 0);
}

TEST(LogicalDevices, AVariableCanBeElsewhere) {
  LocalReplicator repl = Pairs(1);
  const auto context = repl.Context();
  const Variable v = [&] {
    const LogicalDeviceForVariables scope(1);
    return ScalarVariable("v", 2);
  }();
  const PerReplica doubled = repl.Run([&] {
    const Tensor before = v * 2.0;  // on device 0, of a copy
    EXPECT_EQ(before.logical_device(), 0);
    v.Assign(before + 1.0);
    return before;
  });
  Session session;
  repl.Init(session);
  EXPECT_EQ(session.Run(doubled).Item<float>(), 4);
  EXPECT_EQ(session.Run(doubled).Item<float>(), 10);
  EXPECT_EQ(session.Read(v).Item<float>(), 11);
}

// w <- w - d/dw of the replicas' sum, through a loop and a collective in its body, on either device.
TEST(LogicalDevices, LoopsRunAsAWholeOnOneDevice) {
  const auto train = [](int device) {
    LocalReplicator repl = Pairs(2);
    const auto context = repl.Context();
    const Variable w = [&] {
      const LogicalDeviceForVariables scope(device);
      return ScalarVariable("w", 0.5);
    }();
    const PerReplica loss = repl.Run(
        [&](const Batch& batch) {
          const Tensor x = ReduceMean(batch["x"]);
          const LogicalDevice scope(device);
          const Tensor y = For(3, [&](const Tensor&, const Tensor& carry) { return Tanh(AllMean(carry) * w + x); }, x);
          const Tensor value = ReduceSum(Square(y));
          w.AssignAdd(AllSum(Gradients(value, std::vector<Variable>{w})[0]) * -0.1);
          return value;
        },
        Counting(16, 4));
    Session session;
    repl.Init(session);
    for (int i = 0; i < 3; ++i) session.Run(loss);
    EXPECT_EQ(w.logical_device(), device);
    return session.Read(w).Item<float>();
  };
  EXPECT_NE(train(0), 0.5f);
  EXPECT_EQ(train(0), train(1));

  LocalReplicator repl = Pairs(1);
  const auto context = repl.Context();
  const Error error = ErrorOf([&] {
    repl.Run([&] {
      return For(
          3,
          [&](const Tensor&, const Tensor& carry) {
            const LogicalDevice scope(1);
            return Exp(carry);
          },
          Zeros({DType::kF32, {}}));
    });
  });
  EXPECT_THAT(error.message(), HasSubstr("exponential"));
  EXPECT_THAT(error.message(), HasSubstr("was put on logical device 1"));
}

TEST(LogicalDevices, AnIndexOutOfRangeIsRefusedWithItsLine) {
  LocalReplicator repl = Pairs(1);
  SourceLocation line;
  const Error error = ErrorOf([&] {
    repl.Run([&] {
      line = SourceLocation::current();
      const LogicalDevice scope(2, line);
    });
  });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(error.message(), HasSubstr("LogicalDevice(2): a replica has 2 logical devices, numbered from 0"));
  EXPECT_THAT(LinesOf(error), ElementsAre(line.line()));
}

TEST(LogicalDevices, ReplicasPlaceACollectiveAlike) {
  LocalReplicator repl = Pairs(2);
  SourceLocation lines[2];
  const Error error = ErrorOf([&] {
    repl.Run([&] {
      const int replica = ReplicaContext::Current().replica_index();
      const LogicalDevice scope(replica);
      lines[replica] = replica == 0 ? SourceLocation::current()  //
                                    : SourceLocation::current();
      return AllSum({Convert(ReplicaContext::Current().replica_id(), DType::kF32), lines[replica]});
    });
  });
  EXPECT_THAT(error.message(), HasSubstr("the 1st collective differs"));
  EXPECT_THAT(error.message(), HasSubstr("on logical device 1"));
  EXPECT_THAT(LinesOf(error), ElementsAre(lines[0].line(), lines[1].line()));
}

TEST(LogicalDevices, GpusDivideIntoReplicas) {
  const Error error = ErrorOf([] { MultiGpuReplicator({.num_gpus = 3, .num_gpus_per_replica = 2}); });
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_THAT(error.message(), HasSubstr("must divide into replicas"));
}

}  // namespace
}  // namespace replicator
