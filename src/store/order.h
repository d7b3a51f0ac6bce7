// The order in which a store read and applied: written while it trains, and read to be forced upon another run.
//
// A file of JSON lines: {"format":"replicator order","version":1,"groups":4,"policy":"unbounded"}, then for each update
// {"update":1,"members":[{"group":2,"step":0,"read":0}]} and for each gradient that came too late
// {"dropped":{"group":0,"step":3,"read":5}}; `read` is the version that it was computed from. A last line without its
// end is that of a process that was killed, and counts as missing.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file_system.h"
#include "replicator/store/policy.h"

namespace replicator::store {

struct OrderedStep {
  int group = 0;
  int64_t step = 0;  // the group's, from 0
  int64_t read = 0;  // version
  friend bool operator==(const OrderedStep&, const OrderedStep&) = default;
};

struct Order {
  std::vector<std::vector<OrderedStep>> updates;  // members of each, in the order of their groups
  std::vector<OrderedStep> dropped;
};

// `name` stands for the file in errors. Throws Error(kDataLoss) with the line's number for one that is not as above,
// and Error(kInvalidArgument) for an order of another number of groups or policy.
Order ParseOrder(std::string_view text, const std::string& name, int num_groups, const AsyncPolicy& policy);

// Each line reaches the operating system before the call returns. Not thread-safe.
class OrderWriter {
 public:
  // Throws what the file system throws, as the others do.
  OrderWriter(const std::string& path, int num_groups, const AsyncPolicy& policy);
  void Update(int64_t number, const std::vector<OrderedStep>& members);
  void Dropped(const OrderedStep& step);

 private:
  std::unique_ptr<WritableFile> file_;
};

}  // namespace replicator::store
