// The constants of a node: a typed dictionary whose equality, hash and text follow from its contents, so that no
// operation can forget an attribute in any of them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "replicator/base/literal.h"

namespace replicator {

using AttributeValue = std::variant<bool, int64_t, double, DType, std::string, std::vector<int64_t>, Literal>;

class Attributes {
 public:
  Attributes() = default;
  // In any order; names must be distinct.
  Attributes(std::initializer_list<std::pair<std::string, AttributeValue>> entries);

  // Each throws std::logic_error if the attribute is absent or of another type: a fault of the operation's definition.
  bool Bool(std::string_view name) const { return Get<bool>(name); }
  int64_t Int(std::string_view name) const { return Get<int64_t>(name); }
  double Double(std::string_view name) const { return Get<double>(name); }
  DType Type(std::string_view name) const { return Get<DType>(name); }
  const std::string& String(std::string_view name) const { return Get<std::string>(name); }
  const std::vector<int64_t>& Ints(std::string_view name) const { return Get<std::vector<int64_t>>(name); }
  const Literal& Value(std::string_view name) const { return Get<Literal>(name); }

  void Set(std::string name, AttributeValue value);
  const std::vector<std::pair<std::string, AttributeValue>>& entries() const { return entries_; }  // sorted by name

  uint64_t Hash() const;
  friend bool operator==(const Attributes& a, const Attributes& b) = default;

 private:
  template <typename T>
  const T& Get(std::string_view name) const;

  std::vector<std::pair<std::string, AttributeValue>> entries_;
};

// "axis=1, keep=[0,2]"
std::string ToString(const Attributes& attributes);

}  // namespace replicator
