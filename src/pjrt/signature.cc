#include "pjrt/signature.h"

#include <cstdint>

namespace replicator::pjrt {
namespace {

// Reads the fields of one protocol-buffer message, one after another. Malformed input ends the reading with ok() false.
class ProtoReader {
 public:
  explicit ProtoReader(std::string_view bytes) : bytes_(bytes) {}

  // Goes to the next field; false at the end.
  bool Next() {
    if (bytes_.empty() || !ok_) return false;
    const uint64_t tag = Varint();
    field_ = static_cast<int>(tag >> 3);
    payload_ = {};
    value_ = 0;
    switch (tag & 7) {
      case 0:
        value_ = Varint();
        break;
      case 1:
        Take(8);
        break;
      case 2:
        Take(Varint());
        break;
      case 5:
        Take(4);
        break;
      default:
        ok_ = false;
    }
    return ok_;
  }
  int field() const { return field_; }
  std::string_view payload() const { return payload_; }  // of a message, string or packed list
  int64_t value() const { return static_cast<int64_t>(value_); }
  bool ok() const { return ok_; }

  bool at_end() const { return bytes_.empty() || !ok_; }
  // For packed lists.
  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) break;
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }

 private:
  void Take(uint64_t size) {
    if (size > bytes_.size()) {
      ok_ = false;
      return;
    }
    payload_ = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
  }

  std::string_view bytes_;
  bool ok_ = true;
  int field_ = 0;
  uint64_t value_ = 0;
  std::string_view payload_;
};

// The payload of the last occurrence of `field`; empty when there is none.
std::string_view Find(std::string_view message, int field) {
  std::string_view found;
  for (ProtoReader reader(message); reader.Next();) {
    if (reader.field() == field) found = reader.payload();
  }
  return found;
}

std::optional<DType> FromPrimitiveType(int64_t type) {
  switch (type) {
    case 1:
      return DType::kBool;
    case 2:
      return DType::kI8;
    case 3:
      return DType::kI16;
    case 4:
      return DType::kI32;
    case 5:
      return DType::kI64;
    case 6:
      return DType::kU8;
    case 7:
      return DType::kU16;
    case 8:
      return DType::kU32;
    case 9:
      return DType::kU64;
    case 10:
      return DType::kF16;
    case 11:
      return DType::kF32;
    case 12:
      return DType::kF64;
    case 16:
      return DType::kBF16;
    default:
      return std::nullopt;
  }
}

// ShapeProto: 2 element_type, 3 dimensions (packed).
std::optional<Shape> ParseShape(std::string_view bytes) {
  std::optional<DType> dtype;
  Dims dims;
  ProtoReader reader(bytes);
  while (reader.Next()) {
    if (reader.field() == 2) dtype = FromPrimitiveType(reader.value());
    if (reader.field() == 3) {
      ProtoReader list(reader.payload());
      while (!list.at_end()) dims.push_back(static_cast<int64_t>(list.Varint()));
      if (!list.ok()) return std::nullopt;
    }
  }
  if (!reader.ok() || !dtype.has_value()) return std::nullopt;
  return Shape{*dtype, std::move(dims)};
}

// Marks the `number_field` of every entry (field 1) of `list`, an HloInputOutputAliasProto or HloBufferDonorProto.
bool MarkDonated(std::string_view list, int number_field, std::vector<char>& donated) {
  for (ProtoReader entries(list); entries.Next();) {
    if (entries.field() != 1) continue;
    size_t number = 0;  // proto3 leaves zeros out
    for (ProtoReader entry(entries.payload()); entry.Next();) {
      if (entry.field() == number_field) number = static_cast<size_t>(entry.value());
    }
    if (number >= donated.size()) return false;
    donated[number] = 1;
  }
  return true;
}

}  // namespace

// HloModuleProtoWithConfig: 1 hlo_module. HloModuleProto: 4 host_program_shape { 1 parameters }, 8 input_output_alias
// { 1 entries { 2 parameter_number } }, 18 buffer_donor { 1 entries { 1 parameter_number } }.
std::optional<Signature> ParseSignature(std::string_view format, std::string_view program) {
  if (format != "hlo" && format != "hlo_with_config") return std::nullopt;
  const std::string_view module = format == "hlo" ? program : Find(program, 1);
  std::string_view shape, aliases, donors;
  bool has_shape = false;
  ProtoReader reader(module);
  while (reader.Next()) {
    if (reader.field() == 4) {
      shape = reader.payload();
      has_shape = true;
    }
    if (reader.field() == 8) aliases = reader.payload();
    if (reader.field() == 18) donors = reader.payload();
  }
  if (!reader.ok() || !has_shape) return std::nullopt;
  Signature signature;
  ProtoReader parameters(shape);
  while (parameters.Next()) {
    if (parameters.field() != 1) continue;
    std::optional<Shape> parameter = ParseShape(parameters.payload());
    if (!parameter.has_value()) return std::nullopt;
    signature.parameters.push_back(*std::move(parameter));
  }
  signature.donated.resize(signature.parameters.size());
  if (!parameters.ok() || !MarkDonated(aliases, 2, signature.donated) || !MarkDonated(donors, 1, signature.donated)) {
    return std::nullopt;
  }
  return signature;
}

}  // namespace replicator::pjrt
