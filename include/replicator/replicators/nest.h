// What a step returns: its nest of tensors with a PerReplica in place of each.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "replicator/graph/nest.h"
#include "replicator/runtime/fetch.h"

namespace replicator {

// For a nest T: Type, and static Type Pack(T& nest, results, next), which takes the results from number `next` on.
//
// A struct with Members becomes the same struct over PerReplica if it is a template over the type of its leaves
// (`template <typename T> struct Losses { T policy, value; ... }`), else a tuple.
template <typename T>
struct PackedNest;
template <typename T>
using Packed = typename PackedNest<T>::Type;

template <>
struct PackedNest<Tensor> {
  using Type = PerReplica;
  static Type Pack(Tensor&, const std::vector<PerReplica>& results, size_t& next) { return results[next++]; }
};

template <typename T>
struct PackedNest<std::vector<T>> {
  using Type = std::vector<Packed<T>>;
  static Type Pack(std::vector<T>& items, const std::vector<PerReplica>& results, size_t& next) {
    Type packed;
    for (T& item : items) packed.push_back(PackedNest<T>::Pack(item, results, next));
    return packed;
  }
};

template <typename T>
struct PackedNest<std::map<std::string, T>> {
  using Type = std::map<std::string, Packed<T>>;
  static Type Pack(std::map<std::string, T>& items, const std::vector<PerReplica>& results, size_t& next) {
    Type packed;
    for (auto& [name, item] : items) packed.emplace(name, PackedNest<T>::Pack(item, results, next));
    return packed;
  }
};

template <typename T>
struct PackedNest<std::optional<T>> {
  using Type = std::optional<Packed<T>>;
  static Type Pack(std::optional<T>& item, const std::vector<PerReplica>& results, size_t& next) {
    if (!item.has_value()) return std::nullopt;
    return PackedNest<T>::Pack(*item, results, next);
  }
};

// Braces, unlike parentheses, evaluate from left to right.
template <typename T, size_t kSize>
struct PackedNest<std::array<T, kSize>> {
  using Type = std::array<Packed<T>, kSize>;
  static Type Pack(std::array<T, kSize>& items, const std::vector<PerReplica>& results, size_t& next) {
    return std::apply([&](auto&... item) { return Type{PackedNest<T>::Pack(item, results, next)...}; }, items);
  }
};

template <typename... Ts>
struct PackedNest<std::tuple<Ts...>> {
  using Type = std::tuple<Packed<Ts>...>;
  static Type Pack(std::tuple<Ts...>& items, const std::vector<PerReplica>& results, size_t& next) {
    return std::apply([&](Ts&... item) { return Type{PackedNest<Ts>::Pack(item, results, next)...}; }, items);
  }
};

template <typename A, typename B>
struct PackedNest<std::pair<A, B>> {
  using Type = std::pair<Packed<A>, Packed<B>>;
  static Type Pack(std::pair<A, B>& items, const std::vector<PerReplica>& results, size_t& next) {
    return Type{PackedNest<A>::Pack(items.first, results, next), PackedNest<B>::Pack(items.second, results, next)};
  }
};

template <typename T>
  requires HasMembers<T>
struct PackedNest<T> {
  using Members = decltype(std::declval<T&>().Members());
  template <typename Tuple>
  struct TupleOf;
  template <typename... Ts>
  struct TupleOf<std::tuple<Ts&...>> {
    using Type = std::tuple<Packed<Ts>...>;
  };
  using Type = typename TupleOf<Members>::Type;
  static Type Pack(T& nest, const std::vector<PerReplica>& results, size_t& next) {
    return std::apply(
        [&]<typename... Ts>(Ts&... member) { return Type{PackedNest<Ts>::Pack(member, results, next)...}; },
        nest.Members());
  }
};

template <template <typename> class Struct>
  requires HasMembers<Struct<Tensor>> && HasMembers<Struct<PerReplica>>
struct PackedNest<Struct<Tensor>> {
  using Type = Struct<PerReplica>;
  static Type Pack(Struct<Tensor>& nest, const std::vector<PerReplica>& results, size_t& next) {
    Type packed;
    std::apply(
        [&]<typename... Ts>(Ts&... member) {
          packed.Members() = std::tuple<Packed<Ts>...>{PackedNest<Ts>::Pack(member, results, next)...};
        },
        nest.Members());
    return packed;
  }
};

}  // namespace replicator
