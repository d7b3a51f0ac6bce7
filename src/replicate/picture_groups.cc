#include "replicate/picture_groups.h"

#include <map>
#include <set>

namespace replicator {
namespace {

class Grouper {
 public:
  explicit Grouper(const std::vector<KeyedNode>& nodes)
      : nodes_(nodes), users_(nodes.size()), missing_(nodes.size(), 0), group_(nodes.size(), -1) {
    for (size_t id = 0; id < nodes.size(); ++id) {
      missing_[id] = nodes[id].operands.size();
      for (int operand : nodes[id].operands) users_[static_cast<size_t>(operand)].push_back(static_cast<int>(id));
      if (missing_[id] == 0) MarkReady(static_cast<int>(id));
    }
  }

  std::vector<int> Run() {
    for (int group = 0; !first_ready_.empty(); ++group) {
      const std::string key = nodes_[static_cast<size_t>(first_ready_.begin()->second)].key;
      std::set<int>& ready = ready_[key];
      while (!ready.empty()) Take(*ready.begin(), group);
    }
    return group_;
  }

 private:
  // Ready nodes in the order in which they may start a group.
  std::pair<bool, int> Priority(int id) const { return {nodes_[static_cast<size_t>(id)].last, id}; }
  void MarkReady(int id) {
    ready_[nodes_[static_cast<size_t>(id)].key].insert(id);
    first_ready_.insert(Priority(id));
  }
  void Take(int id, int group) {
    ready_[nodes_[static_cast<size_t>(id)].key].erase(id);
    first_ready_.erase(Priority(id));
    group_[static_cast<size_t>(id)] = group;
    for (int user : users_[static_cast<size_t>(id)]) {
      if (--missing_[static_cast<size_t>(user)] == 0) MarkReady(user);
    }
  }

  const std::vector<KeyedNode>& nodes_;
  std::vector<std::vector<int>> users_;
  std::vector<size_t> missing_;  // operands that are in no group yet
  std::vector<int> group_;
  std::map<std::string, std::set<int>> ready_;  // by key
  std::set<std::pair<bool, int>> first_ready_;
};

}  // namespace

std::vector<int> GroupNodes(const std::vector<KeyedNode>& nodes) { return Grouper(nodes).Run(); }

}  // namespace replicator
