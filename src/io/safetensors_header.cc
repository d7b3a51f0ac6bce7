#include "io/safetensors_header.h"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "replicator/base/error.h"

namespace replicator::io {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kMetadataName = "__metadata__";

struct TypeName {
  std::string_view name;
  DType dtype;
};
constexpr std::array<TypeName, 13> kTypeNames = {{{"BOOL", DType::kBool},
                                                  {"I8", DType::kI8},
                                                  {"I16", DType::kI16},
                                                  {"I32", DType::kI32},
                                                  {"I64", DType::kI64},
                                                  {"U8", DType::kU8},
                                                  {"U16", DType::kU16},
                                                  {"U32", DType::kU32},
                                                  {"U64", DType::kU64},
                                                  {"F16", DType::kF16},
                                                  {"BF16", DType::kBF16},
                                                  {"F32", DType::kF32},
                                                  {"F64", DType::kF64}}};
// In the format, but not in the library.
constexpr std::array<std::string_view, 7> kForeignTypeNames = {"F4",      "F6_E2M3", "F6_E3M2", "F8_E5M2",
                                                               "F8_E4M3", "F8_E8M0", "C64"};

[[noreturn]] void Corrupt(const std::string& file, const std::string& what) {
  throw Error(ErrorCode::kDataLoss, "'" + file + "' is not a valid safetensors file: " + what);
}
[[noreturn]] void CorruptTensor(const std::string& file, const std::string& tensor, const std::string& what) {
  Corrupt(file, "tensor '" + tensor + "' " + what);
}

// Parses JSON strictly: no key twice in one object, and no nesting deeper than a header's.
Json ParseJson(std::string_view text, const std::string& file) {
  constexpr int kDeepest = 4;
  if (text.find('\0') != std::string_view::npos)
    Corrupt(file, "its header is not JSON: it has a zero byte");  // the parser would stop there
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kDeepest) Corrupt(file, "its header is nested too deeply");
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second) {
      Corrupt(file, "its header has '" + value.get<std::string>() + "' twice");
    }
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), watch);
  } catch (const Json::exception& error) {
    Corrupt(file, std::string("its header is not JSON: ") + error.what());
  }
}

DType ParseType(const Json& value, const std::string& tensor, const std::string& file) {
  if (!value.is_string()) CorruptTensor(file, tensor, "has a dtype that is not a string");
  const auto name = value.get<std::string>();
  for (const TypeName& entry : kTypeNames) {
    if (entry.name == name) return entry.dtype;
  }
  if (std::find(kForeignTypeNames.begin(), kForeignTypeNames.end(), name) != kForeignTypeNames.end()) {
    throw Error(ErrorCode::kUnimplemented, "'" + file + "': tensor '" + tensor + "' has the dtype " + name +
                                               ", which has no counterpart here; convert it before reading");
  }
  CorruptTensor(file, tensor, "has the unknown dtype '" + name + "'");
}

Dims ParseDims(const Json& value, const std::string& tensor, const std::string& file) {
  if (!value.is_array()) CorruptTensor(file, tensor, "has a shape that is not a list");
  constexpr auto kMost = static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) / 8;  // counts bytes of any dtype
  Dims dims;
  uint64_t product = 1;  // of the extents that are not 0, so that no order of them can overflow
  for (const Json& extent : value) {
    if (!extent.is_number_unsigned()) CorruptTensor(file, tensor, "has an extent that is not a whole number >= 0");
    const auto count = extent.get<uint64_t>();
    if (count > kMost || (count != 0 && product > kMost / count))
      CorruptTensor(file, tensor, "has a shape too large to be");
    if (count != 0) product *= count;
    dims.push_back(static_cast<int64_t>(count));
  }
  return dims;
}

TensorEntry ParseTensor(const std::string& name, const Json& value, uint64_t data_size, const std::string& file) {
  if (!value.is_object() || value.size() != 3 || !value.contains("dtype") || !value.contains("shape") ||
      !value.contains("data_offsets")) {
    CorruptTensor(file, name, "needs exactly dtype, shape and data_offsets");
  }
  TensorEntry entry{.name = name, .shape = {.dtype = ParseType(value["dtype"], name, file), .dims = {}}};
  entry.shape.dims = ParseDims(value["shape"], name, file);
  const Json& offsets = value["data_offsets"];
  if (!offsets.is_array() || offsets.size() != 2 || !offsets[0].is_number_unsigned() ||
      !offsets[1].is_number_unsigned()) {
    CorruptTensor(file, name, "has data_offsets that are not two whole numbers >= 0");
  }
  entry.begin = offsets[0].get<uint64_t>();
  const auto end = offsets[1].get<uint64_t>();
  const std::string range = "[" + std::to_string(entry.begin) + ", " + std::to_string(end) + ")";
  if (entry.begin > end || end > data_size) {
    CorruptTensor(file, name,
                  "lies at " + range + ", but there are " + std::to_string(data_size) +
                      " bytes of data: the file is truncated or its header is wrong");
  }
  if (end - entry.begin != entry.shape.byte_size()) {
    CorruptTensor(file, name,
                  "is " + ToString(entry.shape) + ", " + std::to_string(entry.shape.byte_size()) +
                      " bytes, but lies at " + range);
  }
  return entry;
}

std::map<std::string, std::string> ParseMetadata(const Json& value, const std::string& file) {
  if (!value.is_object()) Corrupt(file, "__metadata__ is not an object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) Corrupt(file, "the metadata '" + key + "' is not a string");
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

}  // namespace

uint64_t ParseHeaderLength(std::string_view first_bytes, uint64_t file_size, const std::string& file) {
  if (file_size < kLengthBytes) {
    Corrupt(file, "it has only " + std::to_string(file_size) + " bytes; the header's length alone takes 8");
  }
  uint64_t length = 0;
  for (size_t i = 0; i < kLengthBytes; ++i)
    length |= static_cast<uint64_t>(static_cast<unsigned char>(first_bytes[i])) << (8 * i);
  if (length > kLongestHeader || length > file_size - kLengthBytes) {
    Corrupt(file, "it begins with a header length of " + std::to_string(length) + ", but the file has " +
                      std::to_string(file_size) + " bytes and a header at most " + std::to_string(kLongestHeader));
  }
  return length;
}

SafetensorsHeader ParseHeader(std::string_view json, uint64_t data_size, const std::string& file) {
  if (json.empty() || json.front() != '{') Corrupt(file, "its header does not begin with '{'");
  const Json root = ParseJson(json, file);
  SafetensorsHeader header;
  for (const auto& [name, value] : root.items()) {
    if (name == kMetadataName) {
      header.metadata = ParseMetadata(value, file);
    } else {
      header.tensors.push_back(ParseTensor(name, value, data_size, file));
    }
  }
  std::sort(header.tensors.begin(), header.tensors.end(), [](const TensorEntry& a, const TensorEntry& b) {
    return std::make_tuple(a.begin, a.end(), a.name) < std::make_tuple(b.begin, b.end(), b.name);
  });
  uint64_t end = 0;
  const TensorEntry* previous = nullptr;
  for (const TensorEntry& entry : header.tensors) {
    if (entry.begin != end) {
      const std::string neighbour = previous == nullptr ? "the start" : "the end of tensor '" + previous->name + "'";
      CorruptTensor(file, entry.name,
                    "begins at " + std::to_string(entry.begin) + ", but " + neighbour + " is at " +
                        std::to_string(end) + ": tensors must neither overlap nor leave a hole");
    }
    end = entry.end();
    previous = &entry;
  }
  if (end != data_size) Corrupt(file, std::to_string(data_size - end) + " bytes follow the last tensor");
  return header;
}

std::vector<TensorEntry> LayOut(const std::map<std::string, Literal>& tensors) {
  std::vector<TensorEntry> entries;
  for (const auto& [name, literal] : tensors) {
    if (name == kMetadataName) {
      throw Error(ErrorCode::kInvalidArgument, "a tensor in a safetensors file cannot be named '__metadata__'");
    }
    entries.push_back({.name = name, .shape = literal.shape()});
  }
  std::stable_sort(entries.begin(), entries.end(), [](const TensorEntry& a, const TensorEntry& b) {
    return ByteSize(a.shape.dtype) > ByteSize(b.shape.dtype);
  });
  uint64_t end = 0;
  for (TensorEntry& entry : entries) {
    entry.begin = end;
    end = entry.end();
  }
  return entries;
}

std::string FormatHeader(const std::vector<TensorEntry>& tensors, const std::map<std::string, std::string>& metadata) {
  Json root = Json::object();
  if (!metadata.empty()) root[std::string(kMetadataName)] = metadata;
  for (const TensorEntry& entry : tensors) {
    const auto type = std::find_if(kTypeNames.begin(), kTypeNames.end(),
                                   [&](const TypeName& candidate) { return candidate.dtype == entry.shape.dtype; });
    root[entry.name] = {
        {"dtype", std::string(type->name)}, {"shape", entry.shape.dims}, {"data_offsets", {entry.begin, entry.end()}}};
  }
  std::string json;
  try {
    json = root.dump();
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::kInvalidArgument,
                std::string("names and metadata in a safetensors file must be UTF-8: ") + error.what());
  }
  json.resize((json.size() + 7) / 8 * 8, ' ');
  if (json.size() > kLongestHeader) {
    throw Error(ErrorCode::kInvalidArgument, "the names and metadata take " + std::to_string(json.size()) +
                                                 " bytes; a safetensors header holds at most " +
                                                 std::to_string(kLongestHeader));
  }
  std::string text;
  for (size_t i = 0; i < kLengthBytes; ++i) text += static_cast<char>(json.size() >> (8 * i));
  return text + json;
}

}  // namespace replicator::io
