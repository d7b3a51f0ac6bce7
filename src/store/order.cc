#include "store/order.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "replicator/base/error.h"

namespace replicator::store {
namespace {

using Json = nlohmann::json;
constexpr const char* kFormat = "replicator order";

Json ToJson(const OrderedStep& step) { return {{"group", step.group}, {"step", step.step}, {"read", step.read}}; }

OrderedStep FromJson(const Json& json, int num_groups) {
  OrderedStep step{.group = json.at("group").get<int>(),
                   .step = json.at("step").get<int64_t>(),
                   .read = json.at("read").get<int64_t>()};
  if (step.group < 0 || step.group >= num_groups || step.step < 0 || step.read < 0)
    throw std::out_of_range("a number is out of range");
  return step;
}

void ParseLine(const Json& line, int num_groups, Order& order) {
  if (line.contains("dropped")) {
    order.dropped.push_back(FromJson(line.at("dropped"), num_groups));
    return;
  }
  const auto number = static_cast<int64_t>(order.updates.size()) + 1;
  if (line.at("update").get<int64_t>() != number) throw std::out_of_range("the updates are not numbered in order");
  std::vector<OrderedStep>& members = order.updates.emplace_back();
  for (const Json& member : line.at("members")) members.push_back(FromJson(member, num_groups));
  if (members.empty()) throw std::out_of_range("the update has no members");
  for (const OrderedStep& member : members) {
    if (member.read >= number) throw std::out_of_range("a member has read a version that did not exist yet");
  }
}

void CheckHeader(const Json& header, const std::string& name, int num_groups, const AsyncPolicy& policy) {
  if (header.at("format") != kFormat || header.at("version") != 1) throw std::out_of_range("it is of another format");
  const int groups = header.at("groups").get<int>();
  const std::string recorded = header.at("policy").get<std::string>();
  if (groups == num_groups && recorded == ToString(policy)) return;
  throw Error(
      ErrorCode::kInvalidArgument,
      fmt::format("{}: the order was recorded with {} groups and the policy '{}', but is to be replayed with {} "
                  "groups and '{}'",
                  name, groups, recorded, num_groups, ToString(policy)));
}

}  // namespace

Order ParseOrder(std::string_view text, const std::string& name, int num_groups, const AsyncPolicy& policy) {
  Order order;
  int number = 0;
  while (true) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) break;
    ++number;
    try {
      const Json line = Json::parse(text.substr(0, end));
      if (number == 1) {
        CheckHeader(line, name, num_groups, policy);
      } else {
        ParseLine(line, num_groups, order);
      }
    } catch (const std::exception& error) {
      if (dynamic_cast<const Error*>(&error) != nullptr) throw;
      throw Error(ErrorCode::kDataLoss,
                  fmt::format("{}: line {} is not one of a recorded order: {}", name, number, error.what()));
    }
    text.remove_prefix(end + 1);
  }
  if (number == 0) throw Error(ErrorCode::kDataLoss, name + ": it is empty, or its first line has no end");
  return order;
}

OrderWriter::OrderWriter(const std::string& path, int num_groups, const AsyncPolicy& policy)
    : file_(FileSystem::Default().OpenForWriting(path)) {
  const Json header = {{"format", kFormat}, {"version", 1}, {"groups", num_groups}, {"policy", ToString(policy)}};
  file_->Append(header.dump() + "\n");
}

void OrderWriter::Update(int64_t number, const std::vector<OrderedStep>& members) {
  Json line = {{"update", number}, {"members", Json::array()}};
  for (const OrderedStep& member : members) line["members"].push_back(ToJson(member));
  file_->Append(line.dump() + "\n");
}

void OrderWriter::Dropped(const OrderedStep& step) { file_->Append(Json{{"dropped", ToJson(step)}}.dump() + "\n"); }

}  // namespace replicator::store
