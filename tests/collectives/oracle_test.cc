// Every collective on every plugin against the host: element types, numbers of replicas, sizes from one element to
// 16 MiB. (Others have shipped collectives that were wrong for some of these.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>

#include "host_collectives.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"
#include "support/evaluate.h"

namespace replicator::testing {
namespace {

using Tensors = std::vector<Tensor>;

// How far apart two elements may be, relative to their size: quotients may be rounded twice.
double Tolerance(DType dtype, bool rounded) {
  if (!rounded) return 0;
  return dtype == DType::kF64 ? 0x1p-51 : dtype == DType::kF32 ? 0x1p-22 : dtype == DType::kF16 ? 0x1p-9 : 0x1p-6;
}

// Where the elements agree, a NaN with any NaN: reductions may change its bits.
std::string Difference(const Literal& got, const Literal& expected, bool rounded) {
  if (got.shape() != expected.shape()) return ToString(got.shape()) + " instead of " + ToString(expected.shape());
  if (got == expected) return "";
  return VisitDType(got.dtype(), [&]<typename T>() -> std::string {
    for (size_t i = 0; i < got.data<T>().size(); ++i) {
      const T a = got.data<T>()[i], b = expected.data<T>()[i];
      const auto x = ConvertElement<double>(a), y = ConvertElement<double>(b);
      if (std::memcmp(&a, &b, sizeof(T)) == 0 || x == y || (std::isnan(x) && std::isnan(y))) continue;
      if (std::abs(x - y) <= Tolerance(got.dtype(), rounded) * std::abs(y)) continue;
      return "element " + std::to_string(i) + " is " + std::to_string(x) + " instead of " + std::to_string(y);
    }
    return "";
  });
}

// What is moved arrives bit by bit.
std::string DifferenceInBits(const Literal& got, const Literal& expected) {
  if (got.shape() != expected.shape()) return ToString(got.shape()) + " instead of " + ToString(expected.shape());
  const size_t width = ByteSize(got.dtype());
  for (size_t i = 0; i < got.byte_size(); ++i) {
    if (got.bytes()[i] != expected.bytes()[i]) return "the bits of element " + std::to_string(i / width) + " differ";
  }
  return "";
}

// One program: some collectives on inputs of one element type and several sizes, and what must come out.
class Checker {
 public:
  Checker(std::string backend, int replicas, DType dtype, uint64_t seed)
      : backend_(std::move(backend)), replicas_(replicas), dtype_(dtype), random_(seed) {}

  // `blocks` elements for each replica, in each of the collectives; as a nest or one by one.
  void AddSizes(const std::vector<int64_t>& blocks, bool as_nest) {
    std::vector<size_t> numbers, bits;
    for (int64_t block : blocks) {
      const Shape shape{dtype_, {replicas_ * block}};
      numbers.push_back(AddInput(shape, SmallIntegers));
      bits.push_back(AddInput(shape, AnyBits));
    }
    if (as_nest) {
      AddReductions(numbers, bits);
      AddMoves(bits);
      return;
    }
    for (size_t i = 0; i < blocks.size(); ++i) {
      AddReductions({numbers[i]}, {bits[i]});
      AddMoves({bits[i]});
    }
  }

  void Run() {
    PerReplica arguments(static_cast<size_t>(replicas_));
    for (const ByReplica& input : inputs_) {
      for (size_t r = 0; r < input.size(); ++r) arguments[r].push_back(input[r]);
    }
    const BuildFn build = [&](const Tensors& x) {
      Tensors results;
      for (const Call& call : calls_) {
        Tensors operands;
        for (size_t input : call.operands) operands.push_back(x[input]);
        for (const Tensor& result : call.build(operands)) results.push_back(result);
      }
      return results;
    };
    const PerReplica results = EvaluateReplicas(build, arguments, {.backend = backend_});
    size_t next = 0;
    for (const Call& call : calls_) {
      for (size_t i = 0; i < call.operands.size(); ++i, ++next) {
        for (size_t r = 0; r < results.size(); ++r) {
          const Literal& expected = call.expected[i][r];
          const std::string difference = call.exact ? DifferenceInBits(results[r][next], expected)
                                                    : Difference(results[r][next], expected, call.rounded);
          EXPECT_EQ(difference, "") << call.name << " of " << ToString(inputs_[call.operands[i]][0].shape())
                                    << " on replica " << r << " of " << replicas_;
        }
      }
    }
  }

 private:
  struct Call {
    std::string name;
    std::vector<size_t> operands;  // inputs; the nest's leaves
    std::function<Tensors(const Tensors&)> build;
    bool exact = true, rounded = false;
    std::vector<ByReplica> expected = {};  // by operand
  };

  template <typename Fill>
  size_t AddInput(const Shape& shape, const Fill& fill) {
    ByReplica& input = inputs_.emplace_back();
    for (int r = 0; r < replicas_; ++r) input.push_back(fill(shape, random_));
    return inputs_.size() - 1;
  }

  void AddReduction(const char* name, ReduceOp op, const std::vector<size_t>& operands) {
    Call call{name, operands,
              [op](const Tensors& x) { return x.size() == 1 ? Tensors{AllReduce(x[0], op)} : AllReduce(x, op); }};
    call.exact = false;
    call.rounded = op == ReduceOp::kMean;
    for (size_t input : operands) {
      call.expected.emplace_back(static_cast<size_t>(replicas_), HostReduce(inputs_[input], op));
    }
    calls_.push_back(std::move(call));
  }

  void AddReductions(const std::vector<size_t>& numbers, const std::vector<size_t>& bits) {
    if (dtype_ == DType::kBool) return;
    AddReduction("AllSum", ReduceOp::kSum, IsFloating(dtype_) ? numbers : bits);
    AddReduction("AllMin", ReduceOp::kMin, bits);
    AddReduction("AllMax", ReduceOp::kMax, bits);
    Call scatter{"ReduceScatter", numbers,
                 [](const Tensors& x) { return x.size() == 1 ? Tensors{ReduceScatter(x[0])} : ReduceScatter(x); }};
    scatter.exact = false;
    for (size_t input : numbers) {
      const ByReplica sums(static_cast<size_t>(replicas_), HostReduce(inputs_[input], ReduceOp::kSum));
      const int64_t block = sums[0].num_elements() / replicas_;
      scatter.expected.push_back(
          HostMove(sums, {block}, [block](int r, int64_t i) { return std::pair(r, r * block + i); }));
    }
    calls_.push_back(std::move(scatter));
    if (!IsFloating(dtype_)) return;
    AddReduction("AllMean", ReduceOp::kMean, numbers);
    // Replica r has the weight r + 1, which is exact in every type, as is the sum.
    Call weighted{"WeightedMean", numbers, [](const Tensors& x) {
                    const Tensor weight = ReplicaContext::Current().replica_id() + 1;
                    return WeightedMean(x, weight, {.axes = std::vector<int>{}});
                  }};
    weighted.exact = false;
    weighted.rounded = true;
    for (size_t input : numbers)
      weighted.expected.emplace_back(static_cast<size_t>(replicas_), HostWeightedMean(input));
    calls_.push_back(std::move(weighted));
  }

  Literal HostWeightedMean(size_t input) const {
    const ByReplica& x = inputs_[input];
    std::vector<double> sum(static_cast<size_t>(x[0].num_elements()), 0.0);
    for (size_t r = 0; r < x.size(); ++r) {
      const std::vector<double> values = x[r].ToDoubles();
      for (size_t i = 0; i < sum.size(); ++i) sum[i] += values[i] * static_cast<double>(r + 1);
    }
    const double weight = replicas_ * (replicas_ + 1) / 2.0;
    for (double& value : sum) value = dtype_ == DType::kF64 ? value / weight : static_cast<float>(value / weight);
    return Literal::FromValues<double>(x[0].dims(), sum).ConvertTo(dtype_);
  }

  void AddMove(const char* name, const std::vector<size_t>& operands, std::function<Tensors(const Tensors&)> build,
               const std::function<Dims(int64_t block)>& dims,
               const std::function<std::pair<int, int64_t>(int r, int64_t i, int64_t block)>& from) {
    Call call{name, operands, std::move(build)};
    for (size_t input : operands) {
      const int64_t block = inputs_[input][0].num_elements() / replicas_;
      call.expected.push_back(
          HostMove(inputs_[input], dims(block), [&](int r, int64_t i) { return from(r, i, block); }));
    }
    calls_.push_back(std::move(call));
  }

  void AddMoves(const std::vector<size_t>& operands) {
    const int replicas = replicas_;
    const auto same = [=](int64_t block) { return Dims{replicas * block}; };
    AddMove(
        "AllGather", operands, [](const Tensors& x) { return x.size() == 1 ? Tensors{AllGather(x[0])} : AllGather(x); },
        [=](int64_t block) { return Dims{replicas, replicas * block}; },
        [=](int, int64_t i, int64_t block) {
          return std::pair(static_cast<int>(i / (replicas * block)), i % (replicas * block));
        });
    AddMove(
        "Broadcast", operands,
        [=](const Tensors& x) {
          return x.size() == 1 ? Tensors{Broadcast(x[0], replicas - 1)} : Broadcast(x, replicas - 1);
        },
        same, [=](int, int64_t i, int64_t) { return std::pair(replicas - 1, i); });
    // Replica r sends to r + 1; the first gets zeros, and the last sends to nobody.
    AddMove(
        "Permute", operands,
        [=](const Tensors& x) {
          PermutePairs pairs;
          for (int r = 0; r + 1 < replicas; ++r) pairs.emplace_back(r, r + 1);
          return x.size() == 1 ? Tensors{Permute(x[0], pairs)} : Permute(x, pairs);
        },
        same, [](int r, int64_t i, int64_t) { return std::pair(r - 1, i); });
    // Replica r gets the r-th block of everybody.
    const auto exchanged = [](int r, int64_t i, int64_t block) {
      return std::pair(static_cast<int>(i / block), r * block + i % block);
    };
    AddMove(
        "AllToAll", operands, [](const Tensors& x) { return x.size() == 1 ? Tensors{AllToAll(x[0])} : AllToAll(x); },
        same, exchanged);
    AddMove(
        "AllToAll to axis 1", operands,
        [=](Tensors x) {
          for (Tensor& leaf : x) leaf = Reshape(leaf, {replicas, leaf.dim(0) / replicas});
          return AllToAll(x, 0, 1);
        },
        [=](int64_t block) { return Dims{1, replicas * block}; }, exchanged);
    AddMove(
        "AllToAll from axis 1", operands,
        [=](Tensors x) {
          for (Tensor& leaf : x) leaf = Reshape(leaf, {leaf.dim(0) / replicas, replicas});
          return AllToAll(x, 1, 0);
        },
        [=](int64_t block) { return Dims{replicas * block, 1}; },
        [=](int r, int64_t i, int64_t block) {
          return std::pair(static_cast<int>(i / block), i % block * replicas + r);
        });
  }

  const std::string backend_;
  const int replicas_;
  const DType dtype_;
  std::mt19937_64 random_;
  std::vector<ByReplica> inputs_;
  std::vector<Call> calls_;
};

bool Soak() { return std::getenv("REPLICATOR_SOAK") != nullptr; }
uint64_t Seed() {
  const char* const seed = std::getenv("REPLICATOR_SEED");
  return seed == nullptr ? 1 : std::strtoull(seed, nullptr, 10);
}

constexpr int kReplicaCounts[] = {1, 2, 3, 5, 8};

class Oracle : public ::testing::TestWithParam<std::string> {
 protected:
  void Check(int replicas, DType dtype, const std::vector<int64_t>& blocks, bool as_nest) {
    SCOPED_TRACE(std::string(ToString(dtype)) + ", R = " + std::to_string(replicas));
    Checker checker(GetParam(), replicas, dtype, Seed());
    checker.AddSizes(blocks, as_nest);
    checker.Run();
  }
};

// Every element type on 3 replicas, and for each other number of replicas every fifth type in turn.
TEST_P(Oracle, EveryTypeAndNumberOfReplicas) {
  int turn = 0;
  for (int replicas : kReplicaCounts) {
    for (DType dtype : kAllDTypes) {
      if (replicas != 3 && !Soak() && turn++ % 5 != 0) continue;
      Check(replicas, dtype, dtype == DType::kF32 ? std::vector<int64_t>{0, 1, 37} : std::vector<int64_t>{1, 37},
            /*as_nest=*/true);
      if (dtype == DType::kF32 || Soak()) Check(replicas, dtype, {5}, /*as_nest=*/false);
    }
  }
}

TEST_P(Oracle, SixteenMebibytes) {
  constexpr int64_t kBytes = int64_t{16} << 20;
  for (int replicas : kReplicaCounts) {
    for (DType dtype : kAllDTypes) {
      const bool chosen = replicas == 2 && dtype == DType::kF32;
      if (!chosen && !Soak()) continue;
      Check(replicas, dtype, {kBytes / static_cast<int64_t>(ByteSize(dtype)) / replicas}, /*as_nest=*/false);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Plugins, Oracle, ::testing::ValuesIn(CpuBackendNames()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace replicator::testing
