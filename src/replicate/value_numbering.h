// One numbering for the values of all replica classes: two nodes get the same number exactly if they compute the same
// from the same. A placeholder has the number of its place in the order, since what it returns is common to all
// replicas.
#pragma once

#include <unordered_map>
#include <vector>

#include "replicate/replica_step.h"

namespace replicator {

struct NumberedNode {
  const Node* node = nullptr;   // of the first class that has it
  std::vector<Value> operands;  // numbered
  std::vector<bool> in_class;
  // The number of placeholders before it must be computed: 0 for what depends on none, k + 1 for what depends on the
  // k-th.
  int stage = 0;
  int placeholder = -1;  // its place among the placeholders, or -1

  bool common() const;  // in all classes
};

class ValueNumbering {
 public:
  // The placeholders must have been matched.
  explicit ValueNumbering(const ReplicaSteps& steps);

  const std::vector<NumberedNode>& nodes() const { return nodes_; }
  const NumberedNode& node(int number) const { return nodes_[static_cast<size_t>(number)]; }
  int num_placeholders() const { return static_cast<int>(placeholders_.size()); }
  int placeholder(int k) const { return placeholders_[static_cast<size_t>(k)]; }
  // The number of a value of class `c`.
  Value Number(int c, Value value) const;

 private:
  int NumberOf(const Node& node, std::vector<Value> operands, int num_classes);

  std::vector<NumberedNode> nodes_;
  std::vector<int> placeholders_;
  std::vector<std::vector<int>> number_of_;  // by class and node
  std::unordered_map<uint64_t, std::vector<int>> by_hash_;
};

}  // namespace replicator
