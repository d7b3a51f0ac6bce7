#include "data/byte_source.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>

#include "replicator/base/error.h"

namespace replicator::data::internal {
namespace {

Error Corrupt(const std::string& name, const std::string& what) {
  return Error(ErrorCode::kDataLoss, name + ": " + what);
}

Error EndsEarly(const std::string& name, size_t missing) {
  return Corrupt(name, "the data end early, " + std::to_string(missing) + " bytes are missing; the file is truncated");
}

class PlainSource final : public ByteSource {
 public:
  PlainSource(std::span<const std::byte> bytes, std::string name) : rest_(bytes), name_(std::move(name)) {}

  void Read(std::span<std::byte> out) override {
    if (out.size() > rest_.size()) throw EndsEarly(name_, out.size() - rest_.size());
    if (!out.empty()) std::memcpy(out.data(), rest_.data(), out.size());
    rest_ = rest_.subspan(out.size());
  }

  void ExpectEnd() override {
    if (!rest_.empty()) throw Corrupt(name_, std::to_string(rest_.size()) + " bytes follow the last element");
  }

  uint64_t UpperBound() const override { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
  const std::string name_;
};

// RFC 1952; also several members in a row.
class GzipSource final : public ByteSource {
 public:
  GzipSource(std::span<const std::byte> bytes, std::string name) : rest_(bytes), name_(std::move(name)) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) {
      throw Error(ErrorCode::kResourceExhausted, name_ + ": no memory to decompress it");
    }
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  void Read(std::span<std::byte> out) override {
    while (!out.empty()) {
      if (member_ended_) {
        if (rest_.empty()) throw EndsEarly(name_, out.size());
        NextMember();
      }
      out = out.subspan(Inflate(out));
    }
  }

  void ExpectEnd() override {
    std::byte extra;
    while (!member_ended_) {
      if (Inflate({&extra, 1}) > 0) throw Corrupt(name_, "bytes follow the last element");
    }
    if (!rest_.empty())
      throw Corrupt(name_, std::to_string(rest_.size()) + " bytes follow the end of the compressed data");
  }

  uint64_t UpperBound() const override {
    constexpr uint64_t kMaxRatio = 1032;  // of deflate: 258 bytes from 2 bits
    return (rest_.size() + sizeof(uint64_t)) * kMaxRatio;
  }

 private:
  void NextMember() {
    inflateReset(&stream_);
    member_ended_ = false;
  }

  // Decompresses some bytes into the front of `out`, possibly none, and returns how many.
  size_t Inflate(std::span<std::byte> out) {
    constexpr size_t kMaxChunk = size_t{1} << 30;  // zlib counts in 32 bits
    const size_t in_size = std::min(rest_.size(), kMaxChunk);
    const size_t out_size = std::min(out.size(), kMaxChunk);
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(rest_.data()));
    stream_.avail_in = static_cast<uInt>(in_size);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out_size);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    rest_ = rest_.subspan(in_size - stream_.avail_in);
    member_ended_ = result == Z_STREAM_END;
    if (result == Z_BUF_ERROR) throw Corrupt(name_, "the compressed data end early; the file is truncated");
    if (result == Z_MEM_ERROR) throw Error(ErrorCode::kResourceExhausted, name_ + ": no memory to decompress it");
    if (result != Z_OK && result != Z_STREAM_END) {
      throw Corrupt(name_, std::string("the compressed data are corrupt: ") +
                               (stream_.msg != nullptr ? stream_.msg : "a preset dictionary is asked for"));
    }
    return out_size - stream_.avail_out;
  }

  std::span<const std::byte> rest_;
  const std::string name_;
  z_stream stream_{};
  bool member_ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> OpenByteSource(std::span<const std::byte> bytes, const std::string& name) {
  if (bytes.size() >= 2 && bytes[0] == std::byte{0x1f} && bytes[1] == std::byte{0x8b}) {
    return std::make_unique<GzipSource>(bytes, name);
  }
  return std::make_unique<PlainSource>(bytes, name);
}

}  // namespace replicator::data::internal
