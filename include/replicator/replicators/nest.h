// Nested structures of tensors: what a step function may return.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "replicator/graph/tensor.h"
#include "replicator/runtime/fetch.h"

namespace replicator {

// For a structure T with Tensors as leaves: Flatten appends its leaves in order, Pack rebuilds it with a PerReplica in
// place of each. To return a struct of one's own, specialise Nest for it likewise.
template <typename T>
struct Nest;

template <>
struct Nest<Tensor> {
  using Packed = PerReplica;
  static void Flatten(const Tensor& tensor, std::vector<Tensor>& leaves) { leaves.push_back(tensor); }
  static Packed Pack(const Tensor&, const std::vector<PerReplica>& results, size_t& next) { return results[next++]; }
};

template <typename T>
struct Nest<std::vector<T>> {
  using Packed = std::vector<typename Nest<T>::Packed>;
  static void Flatten(const std::vector<T>& items, std::vector<Tensor>& leaves) {
    for (const T& item : items) Nest<T>::Flatten(item, leaves);
  }
  static Packed Pack(const std::vector<T>& items, const std::vector<PerReplica>& results, size_t& next) {
    Packed packed;
    for (const T& item : items) packed.push_back(Nest<T>::Pack(item, results, next));
    return packed;
  }
};

template <typename T>
struct Nest<std::map<std::string, T>> {
  using Packed = std::map<std::string, typename Nest<T>::Packed>;
  static void Flatten(const std::map<std::string, T>& items, std::vector<Tensor>& leaves) {
    for (const auto& [name, item] : items) Nest<T>::Flatten(item, leaves);
  }
  static Packed Pack(const std::map<std::string, T>& items, const std::vector<PerReplica>& results, size_t& next) {
    Packed packed;
    for (const auto& [name, item] : items) packed.emplace(name, Nest<T>::Pack(item, results, next));
    return packed;
  }
};

template <typename... Ts>
struct Nest<std::tuple<Ts...>> {
  using Packed = std::tuple<typename Nest<Ts>::Packed...>;
  static void Flatten(const std::tuple<Ts...>& items, std::vector<Tensor>& leaves) {
    std::apply([&](const Ts&... item) { (Nest<Ts>::Flatten(item, leaves), ...); }, items);
  }
  static Packed Pack(const std::tuple<Ts...>& items, const std::vector<PerReplica>& results, size_t& next) {
    // Braces, unlike parentheses, evaluate from left to right.
    return std::apply([&](const Ts&... item) { return Packed{Nest<Ts>::Pack(item, results, next)...}; }, items);
  }
};

template <typename A, typename B>
struct Nest<std::pair<A, B>> {
  using Packed = std::pair<typename Nest<A>::Packed, typename Nest<B>::Packed>;
  static void Flatten(const std::pair<A, B>& items, std::vector<Tensor>& leaves) {
    Nest<A>::Flatten(items.first, leaves);
    Nest<B>::Flatten(items.second, leaves);
  }
  static Packed Pack(const std::pair<A, B>& items, const std::vector<PerReplica>& results, size_t& next) {
    return Packed{Nest<A>::Pack(items.first, results, next), Nest<B>::Pack(items.second, results, next)};
  }
};

}  // namespace replicator
