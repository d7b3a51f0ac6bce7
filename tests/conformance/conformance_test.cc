#include "conformance/conformance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "ops/registry.h"

namespace replicator::testing {
namespace {

using ::testing::IsEmpty;

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class OnBackend : public ::testing::TestWithParam<std::tuple<std::string, const OpDef*>> {};

TEST_P(OnBackend, Conforms) {
  const auto& [backend, op] = GetParam();
  EXPECT_THAT(CheckOp(*op, CpuBackend(backend)), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Ops, OnBackend,
                         ::testing::Combine(::testing::ValuesIn(CpuBackendNames()), ::testing::ValuesIn(AllOps())),
                         [](const auto& tested) {
                           return std::get<0>(tested.param) + "_" + std::string(std::get<1>(tested.param)->name);
                         });

class Golden : public ::testing::TestWithParam<const OpDef*> {};

// REPLICATOR_UPDATE_GOLDEN=1 writes the files anew; then read the difference.
TEST_P(Golden, TextIsAsRecorded) {
  const std::string path = REPLICATOR_SOURCE_DIR "/tests/golden/" + std::string(GetParam()->name) + ".mlir";
  const std::string text = GoldenText(*GetParam());
  if (std::getenv("REPLICATOR_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
  }
  EXPECT_EQ(text, ReadFile(path)) << path;
}

INSTANTIATE_TEST_SUITE_P(Ops, Golden, ::testing::ValuesIn(AllOps()),
                         [](const auto& tested) { return std::string(tested.param->name); });

TEST(Registry, NamesAndSamplesAreDistinct) {
  std::set<std::string_view> names;
  for (const OpDef* op : AllOps()) {
    EXPECT_TRUE(names.insert(op->name).second) << op->name;
    EXPECT_EQ(FindOp(op->name), op);
    std::set<std::string> samples;
    for (const Sample& sample : op->samples())
      EXPECT_TRUE(samples.insert(sample.name).second) << op->name << sample.name;
  }
  EXPECT_EQ(FindOp("no_such_operation"), nullptr);
}

// docs/ops.md has one row for every operation, with its typing and its gradient; and no other rows.
TEST(Registry, IsDocumented) {
  const auto typing = [](const OpDef& op) {
    switch (op.typing) {
      case TypingRule::kJoin:
        return "join";
      case TypingRule::kReplicated:
        return "replicated";
      case TypingRule::kVarying:
        return "varying";
      case TypingRule::kFirstOperand:
        return "first operand";
      case TypingRule::kRegions:
        return "regions";
      case TypingRule::kAttribute:
        break;
    }
    return "attribute";
  };
  const auto gradient = [](const Gradient& rule) {
    return rule.rule() != nullptr ? "rule" : rule.is_zero() ? "zero" : "none";
  };
  std::set<std::string> rows;
  std::istringstream lines(ReadFile(REPLICATOR_SOURCE_DIR "/docs/ops.md"));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| `", 0) != 0) continue;
    const std::string name = line.substr(3, line.find('`', 3) - 3);
    EXPECT_TRUE(rows.insert(name).second) << name << " has two rows";
    const OpDef* const op = FindOp(name);
    ASSERT_NE(op, nullptr) << name << " is not an operation";
    const std::string end = std::string("| ") + typing(*op) + " | " + gradient(op->gradient) + " |";
    EXPECT_THAT(line, ::testing::EndsWith(end));
  }
  for (const OpDef* op : AllOps()) EXPECT_THAT(rows, ::testing::Contains(op->name)) << "has no row in docs/ops.md";
}

}  // namespace
}  // namespace replicator::testing
