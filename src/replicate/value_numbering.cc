#include "replicate/value_numbering.h"

#include <algorithm>

#include "base/hash.h"
#include "graph/region.h"

namespace replicator {
namespace {

bool SameRegions(const Node& a, const Node& b) {
  return std::equal(a.regions.begin(), a.regions.end(), b.regions.begin(), b.regions.end(),
                    [](const Region& x, const Region& y) { return SameStructure(*x, *y); });
}

}  // namespace

bool NumberedNode::common() const {
  return std::all_of(in_class.begin(), in_class.end(), [](bool here) { return here; });
}

ValueNumbering::ValueNumbering(const ReplicaSteps& steps) {
  const int num_classes = static_cast<int>(steps.classes.size());
  for (int c = 0; c < num_classes; ++c) {
    const Graph& graph = *steps.classes[static_cast<size_t>(c)].graph;
    std::vector<int>& numbers = number_of_.emplace_back();
    size_t placeholder = 0;
    for (const Node& node : graph.nodes()) {
      std::vector<Value> operands;
      int stage = 0;
      for (Value operand : node.operands) {
        operands.push_back({numbers[static_cast<size_t>(operand.node)], operand.index});
        stage = std::max(stage, nodes_[static_cast<size_t>(operands.back().node)].stage);
      }
      int number = 0;
      if (FindCollective(node) != nullptr) {
        if (placeholder == placeholders_.size()) {
          placeholders_.push_back(static_cast<int>(nodes_.size()));
          NumberedNode numbered{&node, {}, std::vector<bool>(static_cast<size_t>(num_classes), true)};
          numbered.placeholder = static_cast<int>(placeholder);
          numbered.stage = numbered.placeholder + 1;
          nodes_.push_back(std::move(numbered));
        }
        number = placeholders_[placeholder++];
      } else {
        number = NumberOf(node, std::move(operands), num_classes);
        nodes_[static_cast<size_t>(number)].stage = stage;
      }
      nodes_[static_cast<size_t>(number)].in_class[static_cast<size_t>(c)] = true;
      numbers.push_back(number);
    }
  }
}

int ValueNumbering::NumberOf(const Node& node, std::vector<Value> operands, int num_classes) {
  uint64_t hash = HashCombine(HashString(node.op->name), node.attributes.Hash());
  hash = HashCombine(hash, static_cast<uint64_t>(node.logical_device));
  for (Value operand : operands) {
    hash = HashCombine(hash, (static_cast<uint64_t>(operand.node) << 8) + static_cast<uint64_t>(operand.index));
  }
  std::vector<int>& candidates = by_hash_[hash];
  for (int candidate : candidates) {
    const NumberedNode& other = nodes_[static_cast<size_t>(candidate)];
    if (other.node->op == node.op && other.node->logical_device == node.logical_device && other.operands == operands &&
        other.node->attributes == node.attributes && other.node->results == node.results &&
        SameRegions(*other.node, node)) {
      return candidate;
    }
  }
  const int number = static_cast<int>(nodes_.size());
  candidates.push_back(number);
  // A parameter is there for every class, whether it reads it or not.
  nodes_.push_back(
      {&node, std::move(operands), std::vector<bool>(static_cast<size_t>(num_classes), node.op == &kParameter)});
  return number;
}

Value ValueNumbering::Number(int c, Value value) const {
  return {number_of_[static_cast<size_t>(c)][static_cast<size_t>(value.node)], value.index};
}

}  // namespace replicator
