// Nested structures of tensors: what collectives take, and what step functions return.
//
// A nest is a Tensor, or a vector, array, map by name, pair, tuple or optional of nests, or a struct that lists its
// members:
//
//   struct Losses {
//     Tensor policy, value;
//     auto Members() { return std::tie(policy, value); }
//   };
//
// For a type that cannot have such a function, specialise Nest. The leaves have one order: that of the members, of a
// map's sorted names, of positions.
#pragma once

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "replicator/graph/tensor.h"

namespace replicator {

// Sees a nest from the outside inwards.
class NestVisitor {
 public:
  virtual ~NestVisitor() = default;
  virtual void Leaf(Tensor& leaf) = 0;
  // Around what a structure holds: "(" and ")".
  virtual void Open(std::string_view /*bracket*/) {}
  virtual void Close(std::string_view /*bracket*/) {}
  // Before an item that has a name.
  virtual void Name(std::string_view /*name*/) {}
};

// For a nest T: static void Visit(T& nest, NestVisitor& visitor) calls the visitor with all that is in it, in order.
template <typename T>
struct Nest;

template <typename T>
concept NestOfTensors = requires(T& nest, NestVisitor& visitor) { Nest<T>::Visit(nest, visitor); };
// One that is not a single tensor.
template <typename T>
concept StructureOfTensors = NestOfTensors<T> && !std::convertible_to<const T&, Operand>;

template <>
struct Nest<Tensor> {
  static void Visit(Tensor& leaf, NestVisitor& visitor) { visitor.Leaf(leaf); }
};

// What ranges of nests share.
template <typename Range>
struct NestRange {
  static void Visit(Range& items, NestVisitor& visitor) {
    visitor.Open("[");
    for (auto& item : items) Nest<typename Range::value_type>::Visit(item, visitor);
    visitor.Close("]");
  }
};
template <NestOfTensors T>
struct Nest<std::vector<T>> : NestRange<std::vector<T>> {};
template <NestOfTensors T, size_t kSize>
struct Nest<std::array<T, kSize>> : NestRange<std::array<T, kSize>> {};

template <NestOfTensors T>
struct Nest<std::map<std::string, T>> {
  static void Visit(std::map<std::string, T>& items, NestVisitor& visitor) {
    visitor.Open("{");
    for (auto& [name, item] : items) {
      visitor.Name(name);
      Nest<T>::Visit(item, visitor);
    }
    visitor.Close("}");
  }
};

// Nothing is not the same structure as something.
template <NestOfTensors T>
struct Nest<std::optional<T>> {
  static void Visit(std::optional<T>& item, NestVisitor& visitor) {
    visitor.Open("optional(");
    if (item.has_value()) Nest<T>::Visit(*item, visitor);
    visitor.Close(")");
  }
};

// What structures with a fixed list of members share; `members` is a tuple or pair, of references or not.
struct NestMembers {
  template <typename Tuple>
  static void Visit(Tuple&& members, NestVisitor& visitor) {
    visitor.Open("(");
    std::apply([&](auto&... member) { (Nest<std::remove_reference_t<decltype(member)>>::Visit(member, visitor), ...); },
               members);
    visitor.Close(")");
  }
};
template <NestOfTensors... Ts>
struct Nest<std::tuple<Ts...>> : NestMembers {};
template <NestOfTensors A, NestOfTensors B>
struct Nest<std::pair<A, B>> : NestMembers {};

template <typename T>
concept HasMembers = requires(T& nest) { std::tuple_size<decltype(nest.Members())>::value; };
template <HasMembers T>
struct Nest<T> {
  static void Visit(T& nest, NestVisitor& visitor) { NestMembers::Visit(nest.Members(), visitor); }
};

// The leaves in order.
template <NestOfTensors T>
std::vector<Tensor> NestLeaves(T nest) {
  struct Collector : NestVisitor {
    std::vector<Tensor> leaves;
    void Leaf(Tensor& leaf) override { leaves.push_back(leaf); }
  } collector;
  Nest<T>::Visit(nest, collector);
  return std::move(collector.leaves);
}

// The structure as text, every leaf a "*": "{bias: *, kernel: (*, [*, *])}". Equal exactly for equal structures.
class NestDescriber : public NestVisitor {
 public:
  void Leaf(Tensor& leaf) override;
  void Open(std::string_view bracket) override;
  void Close(std::string_view bracket) override;
  void Name(std::string_view name) override;
  std::string TakeText() { return std::move(text_); }

 private:
  void Separate();

  std::string text_;
  bool first_ = true;  // nothing stands before the next item in its structure
};
template <NestOfTensors T>
std::string NestStructure(T nest) {
  NestDescriber describer;
  Nest<T>::Visit(nest, describer);
  return describer.TakeText();
}

// `nest` with other leaves, as many as it has, in order.
template <NestOfTensors T>
T NestLike(T nest, std::span<const Tensor> leaves) {
  struct Replacer : NestVisitor {
    std::span<const Tensor> rest;
    void Leaf(Tensor& leaf) override {
      leaf = rest.front();
      rest = rest.subspan(1);
    }
  } replacer;
  replacer.rest = leaves;
  Nest<T>::Visit(nest, replacer);
  return nest;
}

// A nest taken apart, with the line of the call that it was given to.
struct FlatNest {
  std::vector<Tensor> leaves;
  std::string structure;  // NestStructure; empty for a single tensor
  SourceLocation where;

  FlatNest(std::vector<Tensor> tensors, std::string description, SourceLocation line)
      : leaves(std::move(tensors)), structure(std::move(description)), where(line) {}
  // A single tensor.
  explicit FlatNest(const Operand& x) : leaves{x.tensor()}, where(x.where()) {}
  template <StructureOfTensors T>
  FlatNest(const T& nest, SourceLocation line) : FlatNest(NestLeaves(nest), NestStructure(nest), line) {}
};

// "{bias: f32[3], kernel: f32[2,3]}": a structure with its leaves' types.
std::string DescribeNest(std::string_view structure, std::span<const Shape> leaves);

}  // namespace replicator
