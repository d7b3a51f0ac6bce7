#include <algorithm>

#include "data/read_ahead.h"
#include "data/stages.h"
#include "replicator/base/error.h"

namespace replicator::data::internal {
namespace {

Components Call(const IndexedMapFn& fn, Element element, Place place, SourceLocation where) {
  try {
    return fn(std::move(element), ElementId{place.epoch, place.index});
  } catch (...) {
    RethrowFrom("the function given to Map", place, where);
  }
}

class Map final : public Node {
 public:
  Map(Traits traits, NodePtr input, IndexedMapFn fn, int parallelism, SourceLocation where)
      : Node(std::move(traits)),
        input_(std::move(input)),
        fn_(std::move(fn)),
        parallelism_(parallelism),
        where_(where) {}

  Element Read(Place place) const override { return Apply(input_->Read(place), place); }

  std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const override {
    if (parallelism_ == 1) return std::make_unique<MapCursor>(*this, input_->Open(place, std::move(stop)), place);
    return std::make_unique<ReadAhead>(
        parallelism_, parallelism_, std::move(stop), [&](std::stop_token own) -> ReadAhead::Pull {
          std::shared_ptr<Cursor> inner = input_->Open(place, std::move(own));
          return [this, inner, next = place]() mutable -> std::optional<ReadAhead::Task> {
            std::optional<Element> element = inner->Next();
            if (!element.has_value()) return std::nullopt;
            const Place here = next;
            ++next.index;
            return [this, here, element = std::move(*element)]() mutable { return Apply(std::move(element), here); };
          };
        });
  }

 private:
  class MapCursor final : public Cursor {
   public:
    MapCursor(const Map& node, std::unique_ptr<Cursor> inner, Place next)
        : node_(node), inner_(std::move(inner)), next_(next) {}

    std::optional<Element> Next() override {
      std::optional<Element> element = inner_->Next();
      if (!element.has_value()) return std::nullopt;
      element = node_.Apply(std::move(*element), next_);
      ++next_.index;
      return element;
    }

   private:
    const Map& node_;
    std::unique_ptr<Cursor> inner_;
    Place next_;
  };

  Element Apply(Element element, Place place) const {
    Element result{.valid_count = element.valid_count};
    result.components = Call(fn_, std::move(element), place, where_);
    CheckAgrees(result.components, traits().spec, "the result of Map", place.index, where_);
    return result;
  }

  NodePtr input_;
  IndexedMapFn fn_;
  int parallelism_;
  SourceLocation where_;
};

ElementSpec InferSpec(const Node& input, const IndexedMapFn& fn, SourceLocation where) {
  const Traits& traits = input.traits();
  Element sample;
  if (traits.indexable && (traits.infinite || *traits.size > 0)) {
    sample = input.Read({});
  } else {
    for (const auto& [name, shape] : traits.spec) sample.components.emplace(name, Literal(shape));
  }
  ElementSpec spec;
  for (const auto& [name, literal] : Call(fn, std::move(sample), {}, where)) spec[name] = literal.shape();
  return spec;
}

}  // namespace

NodePtr MapNode(NodePtr input, IndexedMapFn fn, MapOptions options, SourceLocation where) {
  Traits traits = input->traits();
  traits.spec = options.spec.empty() ? InferSpec(*input, fn, where) : std::move(options.spec);
  if (traits.spec.empty()) {
    throw Error(ErrorCode::kInvalidArgument, "the function given to Map returned no components", {where});
  }
  traits.workers = std::max(traits.workers, options.parallelism);
  return std::make_shared<Map>(std::move(traits), std::move(input), std::move(fn), options.parallelism, where);
}

}  // namespace replicator::data::internal
