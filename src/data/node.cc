#include "data/node.h"

#include <cstring>

#include "replicator/base/error.h"

namespace replicator::data::internal {

Element Node::Read(Place) const { throw Error(ErrorCode::kInternal, "a stream cannot be read by index"); }

void Node::ReadInto(Place place, std::span<std::byte* const> out) const {
  const Element element = Read(place);
  size_t i = 0;
  for (const auto& [name, literal] : element.components) std::memcpy(out[i++], literal.bytes(), literal.byte_size());
}

std::unique_ptr<Cursor> Node::Open(Place, std::stop_token) const {
  throw Error(ErrorCode::kInternal, "an indexable dataset is not opened as a stream");
}

void Discard(Cursor& cursor, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    if (cursor.Next().has_value()) continue;
    throw Error(ErrorCode::kInvalidArgument, "the stream ended after " + std::to_string(i) + " elements, but " +
                                                 std::to_string(count) + " precede the position to resume from");
  }
}

void CheckSpec(const ElementSpec& spec, SourceLocation where) {
  if (spec.empty()) throw Error(ErrorCode::kInvalidArgument, "a dataset must have at least one component", {where});
  for (const auto& [name, shape] : spec) {
    if (name.empty()) throw Error(ErrorCode::kInvalidArgument, "a component of a dataset has an empty name", {where});
    for (int64_t extent : shape.dims) {
      if (extent >= 0) continue;
      throw Error(ErrorCode::kInvalidArgument,
                  "component '" + name + "' has a negative extent: " + ToString(shape) + "; shapes are static",
                  {where});
    }
  }
}

void CheckAgrees(const Components& components, const ElementSpec& spec, const char* source, int64_t index,
                 SourceLocation where) {
  const auto refuse = [&](const std::string& name, const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string(source) + ", element " + std::to_string(index) + ": component '" + name + "' " + what +
                    "; the spec is " + ToString(spec),
                {where});
  };
  for (const auto& [name, shape] : spec) {
    const auto found = components.find(name);
    if (found == components.end()) refuse(name, "is missing");
    if (found->second.shape() != shape) refuse(name, "has the wrong shape " + ToString(found->second.shape()));
  }
  if (components.size() == spec.size()) return;
  for (const auto& [name, literal] : components) {
    if (!spec.contains(name)) refuse(name, "is unknown");
  }
}

void RethrowFrom(const char* source, Place place, SourceLocation where) {
  const std::string message = std::string(source) + " failed at element " + std::to_string(place.index) + " of epoch " +
                              std::to_string(place.epoch) + ": ";
  try {
    throw;
  } catch (const Error& error) {
    std::vector<SourceLocation> lines = {where};
    lines.insert(lines.end(), error.where().begin(), error.where().end());
    throw Error(error.code() == ErrorCode::kOutOfRange ? ErrorCode::kUnknown : error.code(), message + error.message(),
                std::move(lines));
  } catch (const std::exception& error) {
    throw Error(ErrorCode::kUnknown, message + error.what(), {where});
  } catch (...) {
    throw Error(ErrorCode::kUnknown, message + "it threw something that is not a std::exception", {where});
  }
}

Components Allocate(const ElementSpec& spec) {
  Components components;
  for (const auto& [name, shape] : spec) components.emplace_hint(components.end(), name, Literal::Uninitialized(shape));
  return components;
}

std::vector<std::byte*> MutableBytes(Components& components) {
  std::vector<std::byte*> bytes;
  bytes.reserve(components.size());
  for (auto& [name, literal] : components) bytes.push_back(literal.mutable_bytes());
  return bytes;
}

int64_t CheckedProduct(int64_t a, int64_t b, const std::string& what, SourceLocation where) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product) && product < (int64_t{1} << 62)) return product;
  throw Error(ErrorCode::kInvalidArgument, what + " is too large: " + std::to_string(a) + " times " + std::to_string(b),
              {where});
}

}  // namespace replicator::data::internal
