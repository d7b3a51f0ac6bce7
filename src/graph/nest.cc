#include "replicator/graph/nest.h"

namespace replicator {

void NestDescriber::Separate() {
  if (!first_) text_ += ", ";
  first_ = false;
}

void NestDescriber::Leaf(Tensor& /*leaf*/) {
  Separate();
  text_ += '*';
}

void NestDescriber::Open(std::string_view bracket) {
  Separate();
  text_ += bracket;
  first_ = true;
}

void NestDescriber::Close(std::string_view bracket) {
  text_ += bracket;
  first_ = false;
}

void NestDescriber::Name(std::string_view name) {
  Separate();
  text_ += std::string(name) + ": ";
  first_ = true;
}

std::string DescribeNest(std::string_view structure, std::span<const Shape> leaves) {
  std::string text;
  if (structure.empty()) {
    for (const Shape& leaf : leaves) text += (text.empty() ? "" : ", ") + ToString(leaf);
    return text;
  }
  size_t next = 0;
  for (char c : structure) {
    if (c == '*' && next < leaves.size()) {
      text += ToString(leaves[next++]);
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace replicator
