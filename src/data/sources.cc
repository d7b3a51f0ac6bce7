#include <cstring>

#include "data/stages.h"
#include "replicator/base/error.h"

namespace replicator::data::internal {
namespace {

class Tensors final : public Node {
 public:
  Tensors(Traits traits, const Components& tensors) : Node(std::move(traits)) {
    for (const auto& [name, tensor] : tensors) {
      tensors_.push_back(tensor);
      row_bytes_.push_back(this->traits().spec.at(name).byte_size());
    }
  }

  Element Read(Place place) const override {
    Element element{.components = Allocate(traits().spec)};
    ReadInto(place, MutableBytes(element.components));
    return element;
  }

  void ReadInto(Place place, std::span<std::byte* const> out) const override {
    for (size_t i = 0; i < tensors_.size(); ++i) {
      std::memcpy(out[i], tensors_[i].bytes() + static_cast<size_t>(place.index) * row_bytes_[i], row_bytes_[i]);
    }
  }

 private:
  std::vector<Literal> tensors_;
  std::vector<size_t> row_bytes_;
};

class Index final : public Node {
 public:
  Index(Traits traits, std::function<Components(int64_t)> read, SourceLocation where)
      : Node(std::move(traits)), read_(std::move(read)), where_(where) {}

  Element Read(Place place) const override {
    Element element;
    try {
      element.components = read_(place.index);
    } catch (...) {
      RethrowFrom("the function given to FromIndex", place, where_);
    }
    CheckAgrees(element.components, traits().spec, "the result of FromIndex's function", place.index, where_);
    return element;
  }

 private:
  std::function<Components(int64_t)> read_;
  SourceLocation where_;
};

class GeneratorCursor final : public Cursor {
 public:
  GeneratorCursor(GeneratorFn next, const ElementSpec& spec, uint64_t epoch, SourceLocation where, std::stop_token stop)
      : next_(std::move(next)), spec_(spec), place_{epoch, 0}, where_(where), stop_(std::move(stop)) {}

  std::optional<Element> Next() override {
    if (stop_.stop_requested()) throw Error(ErrorCode::kCancelled, "the iterator is being closed");
    std::optional<Components> components;
    try {
      components = next_();
    } catch (const OutOfRange&) {
      return std::nullopt;
    } catch (...) {
      RethrowFrom("the generator", place_, where_);
    }
    if (!components.has_value()) return std::nullopt;
    CheckAgrees(*components, spec_, "the generator", place_.index++, where_);
    return Element{.components = std::move(*components)};
  }

 private:
  GeneratorFn next_;
  const ElementSpec& spec_;  // the node's
  Place place_;
  SourceLocation where_;
  std::stop_token stop_;
};

class GeneratorSource final : public Node {
 public:
  GeneratorSource(Traits traits, std::function<GeneratorFn(std::stop_token)> factory, SourceLocation where)
      : Node(std::move(traits)), factory_(std::move(factory)), where_(where) {}

  std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const override {
    auto cursor = std::make_unique<GeneratorCursor>(factory_(stop), traits().spec, place.epoch, where_, stop);
    Discard(*cursor, place.index);
    return cursor;
  }

 private:
  std::function<GeneratorFn(std::stop_token)> factory_;
  SourceLocation where_;
};

}  // namespace

NodePtr TensorsNode(const Components& tensors, SourceLocation where) {
  Traits traits;
  const std::string* first = nullptr;
  for (const auto& [name, tensor] : tensors) {
    const Dims& dims = tensor.dims();
    if (dims.empty()) {
      throw Error(ErrorCode::kInvalidArgument,
                  "component '" + name + "' is a scalar; axis 0 of each tensor must count the examples", {where});
    }
    if (first != nullptr && traits.size != dims[0]) {
      throw Error(ErrorCode::kInvalidArgument,
                  "component '" + *first + "' has " + std::to_string(*traits.size) + " examples, but '" + name +
                      "' has " + std::to_string(dims[0]),
                  {where});
    }
    first = &name;
    traits.size = dims[0];
    traits.spec[name] = Shape{tensor.dtype(), Dims(dims.begin() + 1, dims.end())};
  }
  CheckSpec(traits.spec, where);
  return std::make_shared<Tensors>(std::move(traits), tensors);
}

NodePtr IndexNode(int64_t size, ElementSpec spec, std::function<Components(int64_t)> read, SourceLocation where) {
  CheckSpec(spec, where);
  if (size < 0) {
    throw Error(ErrorCode::kInvalidArgument, "a dataset cannot have " + std::to_string(size) + " elements", {where});
  }
  return std::make_shared<Index>(Traits{.spec = std::move(spec), .size = size}, std::move(read), where);
}

NodePtr GeneratorNode(ElementSpec spec, std::function<GeneratorFn(std::stop_token)> factory, SourceLocation where) {
  CheckSpec(spec, where);
  return std::make_shared<GeneratorSource>(Traits{.spec = std::move(spec), .indexable = false}, std::move(factory),
                                           where);
}

}  // namespace replicator::data::internal
