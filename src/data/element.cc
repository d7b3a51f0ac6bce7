#include "replicator/data/element.h"

#include <array>
#include <charconv>

#include "replicator/base/error.h"

namespace replicator::data {

std::string ToString(const ElementSpec& spec) {
  std::string text = "{";
  for (const auto& [name, shape] : spec) text += (text.size() == 1 ? "" : ", ") + name + ": " + ToString(shape);
  return text + "}";
}

std::string ToString(const Position& position) {
  return "epoch " + std::to_string(position.epoch) + " index " + std::to_string(position.index) + " delivered " +
         std::to_string(position.delivered);
}

Position PositionFromString(std::string_view text) {
  Position position;
  std::string_view rest = text;
  const auto read = [&](std::string_view label, int64_t& number) {
    if (!rest.starts_with(label)) return false;
    rest.remove_prefix(label.size());
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error != std::errc() || number < 0) return false;
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    return true;
  };
  if (read("epoch ", position.epoch) && read(" index ", position.index) && read(" delivered ", position.delivered) &&
      rest.empty()) {
    return position;
  }
  throw Error(ErrorCode::kInvalidArgument, "'" + std::string(text.substr(0, 100)) +
                                               "' is not a position in a dataset; one looks like '" +
                                               ToString(Position{.epoch = 2, .index = 6144}) + "'");
}

const Literal& Element::operator[](std::string_view name) const {
  const auto found = components.find(std::string(name));
  if (found != components.end()) return found->second;
  std::string known;
  for (const auto& [other, literal] : components) known += (known.empty() ? "" : ", ") + other;
  throw Error(ErrorCode::kNotFound,
              "the element has no component '" + std::string(name) + "'; it has " + (known.empty() ? "none" : known));
}

}  // namespace replicator::data
