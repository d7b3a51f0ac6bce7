#include "replicate/schedule.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/region.h"

namespace replicator {
namespace {

class Scheduler {
 public:
  explicit Scheduler(const Graph& graph) : graph_(graph), size_(graph.nodes().size()) {
    schedule_.segment_of.assign(size_, -1);
    FindConstants();
    FindNeeded();
    FindUsers();
  }

  Schedule Run() {
    while (!ready_.empty()) TakeSegment(NextDevice());
    return std::move(schedule_);
  }

 private:
  // What is compared first: the length of the chain of devices that begins with the node; then program order.
  struct Priority {
    int negative_level;
    int node;
    friend auto operator<=>(const Priority&, const Priority&) = default;
  };

  void FindConstants() {
    schedule_.constant.assign(size_, false);
    for (size_t id = 0; id < size_; ++id) {
      const Node& node = graph_.nodes()[id];
      schedule_.constant[id] = node.op != &kParameter && FindCollective(node) == nullptr &&
                               std::all_of(node.operands.begin(), node.operands.end(), [&](Value operand) {
                                 return schedule_.constant[static_cast<size_t>(operand.node)];
                               });
    }
  }

  // As in lowering: what outputs and collectives depend on.
  void FindNeeded() {
    needed_.assign(size_, false);
    for (Value output : graph_.outputs()) needed_[static_cast<size_t>(output.node)] = true;
    for (size_t id = size_; id-- > 0;) {
      const Node& node = graph_.nodes()[id];
      if (FindCollective(node) != nullptr) needed_[id] = true;
      if (!needed_[id]) continue;
      for (Value operand : node.operands) needed_[static_cast<size_t>(operand.node)] = true;
    }
  }

  bool IsScheduled(size_t id) const {
    return needed_[id] && !schedule_.constant[id] && graph_.nodes()[id].op != &kParameter;
  }

  void FindUsers() {
    users_.resize(size_);
    waits_for_.assign(size_, 0);
    level_.assign(size_, 0);
    for (size_t id = 0; id < size_; ++id) {
      if (!IsScheduled(id)) continue;
      for (Value operand : graph_.nodes()[id].operands) {
        if (!IsScheduled(static_cast<size_t>(operand.node))) continue;
        users_[static_cast<size_t>(operand.node)].push_back(static_cast<int>(id));
        ++waits_for_[id];
      }
    }
    for (size_t id = size_; id-- > 0;) {
      for (int user : users_[id]) {
        const int hop = Device(user) == graph_.nodes()[id].logical_device ? 0 : 1;
        level_[id] = std::max(level_[id], level_[static_cast<size_t>(user)] + hop);
      }
    }
    for (size_t id = 0; id < size_; ++id) {
      if (IsScheduled(id) && waits_for_[id] == 0) MarkReady(static_cast<int>(id));
    }
  }

  int Device(int id) const { return graph_.node(id).logical_device; }
  void MarkReady(int id) { ready_[Device(id)].insert({-level_[static_cast<size_t>(id)], id}); }

  // That of the ready node with the longest chain of devices after it.
  int NextDevice() const {
    const auto best = std::min_element(ready_.begin(), ready_.end(), [](const auto& a, const auto& b) {
      return *a.second.begin() < *b.second.begin();
    });
    return best->first;
  }

  void TakeSegment(int device) {
    const int segment = static_cast<int>(schedule_.devices.size());
    schedule_.devices.push_back(device);
    while (ready_.contains(device)) {
      const std::set<Priority> taken = std::move(ready_.extract(device).mapped());
      for (const Priority& entry : taken) {
        schedule_.segment_of[static_cast<size_t>(entry.node)] = segment;
        for (int user : users_[static_cast<size_t>(entry.node)]) {
          if (--waits_for_[static_cast<size_t>(user)] == 0) MarkReady(user);
        }
      }
    }
  }

  const Graph& graph_;
  const size_t size_;
  Schedule schedule_;
  std::vector<bool> needed_;
  std::vector<std::vector<int>> users_;
  std::vector<int> waits_for_;  // operands yet to be scheduled
  std::vector<int> level_;
  std::map<int, std::set<Priority>> ready_;  // by device; no entry is empty
};

}  // namespace

Schedule ScheduleSegments(const Graph& graph) { return Scheduler(graph).Run(); }

}  // namespace replicator
