#include "graph/attributes.h"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "base/hash.h"

namespace replicator {
namespace {

struct Hasher {
  uint64_t operator()(bool value) const { return value ? 1 : 0; }
  uint64_t operator()(int64_t value) const { return static_cast<uint64_t>(value); }
  uint64_t operator()(double value) const { return std::bit_cast<uint64_t>(value); }
  uint64_t operator()(DType value) const { return static_cast<uint64_t>(value); }
  uint64_t operator()(const std::string& value) const { return HashString(value); }
  uint64_t operator()(const std::vector<int64_t>& value) const {
    return HashBytes(value.data(), value.size() * sizeof(int64_t));
  }
  uint64_t operator()(const Literal& value) const {
    return HashBytes(value.bytes(), value.byte_size(), HashString(ToString(value.shape())));
  }
};

struct Printer {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return std::to_string(value); }
  std::string operator()(DType value) const { return std::string(ToString(value)); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const std::vector<int64_t>& value) const { return ToString(value); }
  std::string operator()(const Literal& value) const { return ToString(value); }
};

}  // namespace

Attributes::Attributes(std::initializer_list<std::pair<std::string, AttributeValue>> entries) {
  for (const auto& [name, value] : entries) Set(name, value);
}

void Attributes::Set(std::string name, AttributeValue value) {
  auto at = std::lower_bound(entries_.begin(), entries_.end(), name,
                             [](const auto& entry, const std::string& key) { return entry.first < key; });
  if (at != entries_.end() && at->first == name) {
    at->second = std::move(value);
  } else {
    entries_.emplace(at, std::move(name), std::move(value));
  }
}

template <typename T>
const T& Attributes::Get(std::string_view name) const {
  for (const auto& [key, value] : entries_) {
    if (key != name) continue;
    if (const T* found = std::get_if<T>(&value)) return *found;
    throw std::logic_error("attribute '" + std::string(name) + "' has another type");
  }
  throw std::logic_error("no attribute '" + std::string(name) + "'");
}
template const bool& Attributes::Get(std::string_view) const;
template const int64_t& Attributes::Get(std::string_view) const;
template const double& Attributes::Get(std::string_view) const;
template const DType& Attributes::Get(std::string_view) const;
template const std::string& Attributes::Get(std::string_view) const;
template const std::vector<int64_t>& Attributes::Get(std::string_view) const;
template const Literal& Attributes::Get(std::string_view) const;

uint64_t Attributes::Hash() const {
  uint64_t hash = entries_.size();
  for (const auto& [name, value] : entries_) {
    hash = HashCombine(HashString(name, hash), HashCombine(value.index(), std::visit(Hasher{}, value)));
  }
  return hash;
}

std::string ToString(const Attributes& attributes) {
  std::string text;
  for (const auto& [name, value] : attributes.entries()) {
    text += (text.empty() ? "" : ", ") + name + "=" + std::visit(Printer{}, value);
  }
  return text;
}

}  // namespace replicator
