// A nest with other leaves of another type: what a step returns has a PerReplica in place of each Tensor, and what is
// fetched a Fetched in place of each PerReplica.
//
// A struct with Members becomes the same struct over the new leaves if it is a template over their type
// (`template <typename T> struct Losses { T policy, value; ... }`), else a tuple.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "replicator/graph/nest.h"

namespace replicator {

// Type is T with a To in place of each From; static Type Map(T& nest, f) makes it by calling To f(const From&) on the
// leaves in order. Not defined for what holds anything else.
template <typename T, typename From, typename To>
struct NestMap;
template <typename T, typename From, typename To>
using MappedNest = typename NestMap<T, From, To>::Type;

template <typename From, typename To, typename T, typename F>
MappedNest<T, From, To> MapNest(T nest, F&& f) {
  return NestMap<T, From, To>::Map(nest, f);
}

template <typename From, typename To>
struct NestMap<From, From, To> {
  using Type = To;
  template <typename F>
  static Type Map(From& leaf, F& f) {
    return f(leaf);
  }
};

template <typename T, typename From, typename To>
struct NestMap<std::vector<T>, From, To> {
  using Type = std::vector<MappedNest<T, From, To>>;
  template <typename F>
  static Type Map(std::vector<T>& items, F& f) {
    Type mapped;
    for (T& item : items) mapped.push_back(NestMap<T, From, To>::Map(item, f));
    return mapped;
  }
};

template <typename T, typename From, typename To>
struct NestMap<std::map<std::string, T>, From, To> {
  using Type = std::map<std::string, MappedNest<T, From, To>>;
  template <typename F>
  static Type Map(std::map<std::string, T>& items, F& f) {
    Type mapped;
    for (auto& [name, item] : items) mapped.emplace(name, NestMap<T, From, To>::Map(item, f));
    return mapped;
  }
};

template <typename T, typename From, typename To>
struct NestMap<std::optional<T>, From, To> {
  using Type = std::optional<MappedNest<T, From, To>>;
  template <typename F>
  static Type Map(std::optional<T>& item, F& f) {
    if (!item.has_value()) return std::nullopt;
    return NestMap<T, From, To>::Map(*item, f);
  }
};

// Braces, unlike parentheses, evaluate from left to right.
template <typename T, size_t kSize, typename From, typename To>
struct NestMap<std::array<T, kSize>, From, To> {
  using Type = std::array<MappedNest<T, From, To>, kSize>;
  template <typename F>
  static Type Map(std::array<T, kSize>& items, F& f) {
    return std::apply([&](auto&... item) { return Type{NestMap<T, From, To>::Map(item, f)...}; }, items);
  }
};

template <typename... Ts, typename From, typename To>
struct NestMap<std::tuple<Ts...>, From, To> {
  using Type = std::tuple<MappedNest<Ts, From, To>...>;
  template <typename F>
  static Type Map(std::tuple<Ts...>& items, F& f) {
    return std::apply([&](Ts&... item) { return Type{NestMap<Ts, From, To>::Map(item, f)...}; }, items);
  }
};

template <typename A, typename B, typename From, typename To>
struct NestMap<std::pair<A, B>, From, To> {
  using Type = std::pair<MappedNest<A, From, To>, MappedNest<B, From, To>>;
  template <typename F>
  static Type Map(std::pair<A, B>& items, F& f) {
    return Type{NestMap<A, From, To>::Map(items.first, f), NestMap<B, From, To>::Map(items.second, f)};
  }
};

// The type of a tuple of references, without them.
template <typename Tuple>
struct WithoutReferences;
template <typename... Ts>
struct WithoutReferences<std::tuple<Ts&...>> {
  using Type = std::tuple<Ts...>;
};
template <typename T>
using MembersOf = typename WithoutReferences<decltype(std::declval<T&>().Members())>::Type;

template <HasMembers T, typename From, typename To>
struct NestMap<T, From, To> {
  using Type = MappedNest<MembersOf<T>, From, To>;
  template <typename F>
  static Type Map(T& nest, F& f) {
    MembersOf<T> members = nest.Members();
    return NestMap<MembersOf<T>, From, To>::Map(members, f);
  }
};

template <template <typename> class Struct, typename From, typename To>
  requires HasMembers<Struct<From>> && HasMembers<Struct<To>>
struct NestMap<Struct<From>, From, To> {
  using Type = Struct<To>;
  template <typename F>
  static Type Map(Struct<From>& nest, F& f) {
    MembersOf<Struct<From>> members = nest.Members();
    Type mapped;
    mapped.Members() = NestMap<MembersOf<Struct<From>>, From, To>::Map(members, f);
    return mapped;
  }
};

}  // namespace replicator
