// A file's content in order, decompressed where it is compressed by gzip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace replicator::data::internal {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills `out`. Throws Error(kDataLoss) when the content ends before that or is corrupt.
  virtual void Read(std::span<std::byte> out) = 0;
  // Throws Error(kDataLoss) unless all content has been read and its check sums are right.
  virtual void ExpectEnd() = 0;
  // No more than this many bytes can be left.
  virtual uint64_t UpperBound() const = 0;
};

// Reads `bytes`, which must outlive it, according to their first two; `name` stands for the file in errors.
std::unique_ptr<ByteSource> OpenByteSource(std::span<const std::byte> bytes, const std::string& name);

}  // namespace replicator::data::internal
