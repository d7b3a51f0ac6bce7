// One stage of an input pipeline: what a Dataset is a handle to. Immutable once built.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "replicator/base/source_location.h"
#include "replicator/data/element.h"
#include "replicator/data/input_context.h"

namespace replicator::data::internal {

// Which element of which sweep; for an indexable node, the argument of a pure function. Epochs of nested repeats are
// numbers of their own, which wrap.
struct Place {
  uint64_t epoch = 0;
  int64_t index = 0;
};

// What a node's users may know of it without reading. A stage copies its input's and changes what it changes.
struct Traits {
  ElementSpec spec;
  bool indexable = true;
  bool infinite = false;
  bool live = false;                  // a stream that cannot be replayed: it is resumed with what comes next
  std::optional<int64_t> size;        // elements of a sweep; none for streams and infinite nodes
  int64_t elements_per_step = 1;      // that this pipeline yields
  int64_t examples_per_step = 1;      // of the global stream
  std::optional<InputContext> shard;  // awaits a Batch while `batched` is false
  bool batched = false;
  int workers = 1;  // indexable nodes only: how an iterator shall read
  int64_t read_ahead = 0;
};

// Reads a stream in order, from one thread at a time.
class Cursor {
 public:
  virtual ~Cursor() = default;
  // Not called again after nullopt or an exception.
  virtual std::optional<Element> Next() = 0;
};

class Node {
 public:
  explicit Node(Traits traits) : traits_(std::move(traits)) {}
  virtual ~Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const Traits& traits() const { return traits_; }

  // For indexable nodes; safe from several threads at once. 0 <= place.index < size.
  virtual Element Read(Place place) const;
  // As Read, but copies component i (in the order of names) to out[i].
  virtual void ReadInto(Place place, std::span<std::byte* const> out) const;

  // For streams: a reader that stands before the element at `place`. Replays what precedes it, and throws
  // Error(kInvalidArgument) if the stream ends before it. Next may be interrupted through `stop` and then throws.
  virtual std::unique_ptr<Cursor> Open(Place place, std::stop_token stop) const;

 private:
  Traits traits_;
};

using NodePtr = std::shared_ptr<const Node>;

// Discards elements. Throws Error(kInvalidArgument) if the stream ends before `count` of them.
void Discard(Cursor& cursor, int64_t count);

// Throws Error(kInvalidArgument) for a spec without components, with an unnamed one, or with a negative extent.
void CheckSpec(const ElementSpec& spec, SourceLocation where);

// Throws Error(kInvalidArgument) unless `components` are exactly those of `spec`. `source` yielded them as its element
// `index`.
void CheckAgrees(const Components& components, const ElementSpec& spec, const char* source, int64_t index,
                 SourceLocation where);

// Called in a handler of whatever a user's function threw: throws it again as an Error of the same code that says that
// `source` failed at `place`. A code of kOutOfRange becomes kUnknown, lest it read as the regular end of the input.
[[noreturn]] void RethrowFrom(const char* source, Place place, SourceLocation where);

// A literal of indeterminate contents for each component.
Components Allocate(const ElementSpec& spec);
// The beginnings of the components' memory. They must be their literals' only copies.
std::vector<std::byte*> MutableBytes(Components& components);

// a * b. Throws Error(kInvalidArgument), naming `what`, where it is not below 2^62.
int64_t CheckedProduct(int64_t a, int64_t b, const std::string& what, SourceLocation where);

}  // namespace replicator::data::internal
