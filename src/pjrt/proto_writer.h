// Protocol-buffer wire format, as far as the options of a compilation need it.
#pragma once

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace replicator::pjrt {

// Appends fields to a message in the order of the calls.
class ProtoWriter {
 public:
  ProtoWriter& Int(int field, int64_t value) {
    Tag(field, 0);
    Varint(static_cast<uint64_t>(value));
    return *this;
  }
  ProtoWriter& Bool(int field, bool value) { return Int(field, value ? 1 : 0); }
  ProtoWriter& Double(int field, double value) {
    Tag(field, 1);
    const auto bits = std::bit_cast<uint64_t>(value);
    for (int shift = 0; shift < 64; shift += 8) bytes_.push_back(static_cast<char>((bits >> shift) & 0xff));
    return *this;
  }
  ProtoWriter& Bytes(int field, std::string_view value) {
    Tag(field, 2);
    Varint(value.size());
    bytes_.append(value);
    return *this;
  }
  ProtoWriter& Message(int field, const ProtoWriter& message) { return Bytes(field, message.bytes_); }
  // An element of a packed repeated field, whose bytes are then written with Bytes.
  ProtoWriter& Packed(int64_t value) {
    Varint(static_cast<uint64_t>(value));
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void Tag(int field, int wire_type) { Varint((static_cast<uint64_t>(field) << 3) | static_cast<uint64_t>(wire_type)); }
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_.push_back(static_cast<char>((value & 0x7f) | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }

  std::string bytes_;
};

}  // namespace replicator::pjrt
