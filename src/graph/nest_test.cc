#include "replicator/graph/nest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/build_context.h"

namespace replicator {
namespace {

using testing::ElementsAre;

template <typename T>
struct Losses {
  T policy, value;
  std::vector<T> others;
  auto Members() { return std::tie(policy, value, others); }
};
static_assert(NestOfTensors<Tensor> && !StructureOfTensors<Tensor>);
static_assert(StructureOfTensors<std::vector<Tensor>> && StructureOfTensors<Losses<Tensor>>);
static_assert(!NestOfTensors<int> && !NestOfTensors<std::vector<int>> && !NestOfTensors<std::pair<Tensor, int>>);

class NestTest : public testing::Test {
 protected:
  Tensor Leaf(const Dims& dims) {
    return context_.Input("x" + std::to_string(next_++), {DType::kF32, dims}, SourceLocation::current());
  }
  static std::vector<Dims> ExtentsOf(const std::vector<Tensor>& leaves) {
    std::vector<Dims> dims;
    for (const Tensor& leaf : leaves) dims.push_back(leaf.dims());
    return dims;
  }

  BuildContext context_{{}};
  int next_ = 0;
};

TEST_F(NestTest, LeavesComeInOrderWhateverHoldsThem) {
  const std::map<std::string, std::pair<Tensor, std::vector<Tensor>>> nest = {
      {"z", {Leaf({1}), {}}}, {"a", {Leaf({2}), {Leaf({3}), Leaf({4})}}}};
  EXPECT_THAT(ExtentsOf(NestLeaves(nest)), ElementsAre(Dims{2}, Dims{3}, Dims{4}, Dims{1}));
  EXPECT_EQ(NestStructure(nest), "{a: (*, [*, *]), z: (*, [])}");
}

TEST_F(NestTest, AStructListsItsMembers) {
  Losses<Tensor> nest{Leaf({1}), Leaf({2}), {Leaf({3})}};
  EXPECT_EQ(NestStructure(nest), "(*, *, [*])");
  const std::vector<Tensor> leaves = {Leaf({7}), Leaf({8}), Leaf({9})};
  const Losses<Tensor> other = NestLike(nest, leaves);
  EXPECT_EQ(other.policy.dims(), Dims{7});
  EXPECT_EQ(other.value.dims(), Dims{8});
  EXPECT_EQ(other.others[0].dims(), Dims{9});
  EXPECT_EQ(nest.policy.dims(), Dims{1});
}

TEST_F(NestTest, StructuresAreToldApart) {
  using Optional = std::optional<std::vector<Tensor>>;
  const std::vector<std::string> structures = {
      NestStructure(Leaf({})),
      NestStructure(std::vector<Tensor>{Leaf({})}),
      NestStructure(std::array<Tensor, 2>{Leaf({}), Leaf({})}),
      NestStructure(std::tuple(Leaf({}))),
      NestStructure(std::pair(Leaf({}), Leaf({}))),
      NestStructure(Optional()),
      NestStructure(Optional(std::vector<Tensor>())),
      NestStructure(std::map<std::string, Tensor>{{"a", Leaf({})}}),
      NestStructure(std::map<std::string, Tensor>{{"b", Leaf({})}}),
  };
  EXPECT_THAT(structures,
              ElementsAre("*", "[*]", "[*, *]", "(*)", "(*, *)", "optional()", "optional([])", "{a: *}", "{b: *}"));
}

TEST_F(NestTest, TextNamesTheTypesOfTheLeaves) {
  const std::vector<Shape> shapes = {{DType::kF32, {3}}, {DType::kI64, {}}};
  EXPECT_EQ(DescribeNest("{a: *, b: (*)}", shapes), "{a: f32[3], b: (i64[])}");
  EXPECT_EQ(DescribeNest("", shapes), "f32[3], i64[]");
  EXPECT_EQ(FlatNest(Operand(Leaf({2}))).structure, "");
}

}  // namespace
}  // namespace replicator
