// Marks what is built while it lives as values that gradients recompute instead of keeping.
#pragma once

#include <memory>

namespace replicator {

// One call of a rematerialised function; identity is the object's address.
struct RematerialisedCall {
  std::shared_ptr<const RematerialisedCall> outer;  // the call in which it was made; null at the top
};

// Entered by Rematerialise (rematerialise.h). Thread-local; nests.
class RematerialisedScope {
 public:
  RematerialisedScope();
  ~RematerialisedScope();
  RematerialisedScope(const RematerialisedScope&) = delete;
  RematerialisedScope& operator=(const RematerialisedScope&) = delete;

  // The innermost call that is being built on this thread, or null.
  static const std::shared_ptr<const RematerialisedCall>& Current();
  // Whether it is being built on this thread: the current one, or around it.
  static bool IsOpen(const RematerialisedCall& call);
};

}  // namespace replicator
