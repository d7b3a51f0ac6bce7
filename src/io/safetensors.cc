#include "replicator/io/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/file_system.h"
#include "io/safetensors_header.h"
#include "replicator/base/error.h"

namespace replicator::io {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are read and written in the host's byte order");

// A file in memory.
class MemoryFile final : public ReadableFile {
 public:
  explicit MemoryFile(std::span<const std::byte> bytes) : bytes_(bytes) {}
  uint64_t size() const override { return bytes_.size(); }
  void Read(uint64_t offset, std::span<std::byte> out) const override {
    if (!out.empty()) std::memcpy(out.data(), bytes_.data() + offset, out.size());
  }

 private:
  std::span<const std::byte> bytes_;
};

std::string ReadText(const ReadableFile& file, uint64_t offset, uint64_t size) {
  std::string text(size, '\0');
  file.Read(offset, std::as_writable_bytes(std::span(text)));
  return text;
}

Literal ReadTensor(const ReadableFile& file, const TensorEntry& entry, uint64_t data_begin, const std::string& name) {
  Literal literal{entry.shape};
  const std::span<std::byte> bytes(literal.mutable_bytes(), literal.byte_size());
  file.Read(data_begin + entry.begin, bytes);
  if (entry.shape.dtype == DType::kBool) {
    for (const std::byte byte : bytes) {
      if (byte <= std::byte{1}) continue;
      throw Error(ErrorCode::kDataLoss, "'" + name + "' is not a valid safetensors file: tensor '" + entry.name +
                                            "' holds the BOOL " + std::to_string(static_cast<int>(byte)) +
                                            "; only 0 and 1 are");
    }
  }
  return literal;
}

NamedTensors Read(const ReadableFile& file, const std::string& name) {
  const uint64_t size = file.size();
  const uint64_t length = ParseHeaderLength(ReadText(file, 0, std::min(size, kLengthBytes)), size, name);
  const uint64_t data_begin = kLengthBytes + length;
  SafetensorsHeader header = ParseHeader(ReadText(file, kLengthBytes, length), size - data_begin, name);
  NamedTensors result;
  result.metadata = std::move(header.metadata);
  for (const TensorEntry& entry : header.tensors) {
    result.tensors.emplace(entry.name, ReadTensor(file, entry, data_begin, name));
  }
  return result;
}

FileSystem& OrDefault(FileSystem* file_system) { return file_system != nullptr ? *file_system : FileSystem::Default(); }

}  // namespace

NamedTensors ReadSafetensors(const std::string& path, FileSystem* file_system) {
  return Read(*OrDefault(file_system).OpenForReading(path), path);
}

NamedTensors ParseSafetensors(std::span<const std::byte> bytes, const std::string& name) {
  return Read(MemoryFile(bytes), name);
}

void WriteSafetensors(const std::string& path, const NamedTensors& content, FileSystem* file_system) {
  const std::vector<TensorEntry> entries = LayOut(content.tensors);
  const std::string header = FormatHeader(entries, content.metadata);
  AtomicWriteFile(OrDefault(file_system), path, [&](WritableFile& file) {
    file.Append(header);
    for (const TensorEntry& entry : entries) {
      const Literal& literal = content.tensors.at(entry.name);
      if (literal.byte_size() != 0) file.Append(std::span(literal.bytes(), literal.byte_size()));
    }
  });
}

}  // namespace replicator::io
