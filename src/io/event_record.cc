#include "io/event_record.h"

#include <bit>

#include "io/crc32c.h"

namespace replicator::io {
namespace {

template <typename Integer>
void AppendFixed(std::string& out, Integer value) {
  for (size_t i = 0; i < sizeof(Integer); ++i) out += static_cast<char>(value >> (8 * i));
}

void AppendVarint(std::string& out, uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

// A field's key: its number and the wire type of its value.
enum class Wire : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
void AppendKey(std::string& out, uint32_t field, Wire wire) {
  AppendVarint(out, field << 3 | static_cast<uint32_t>(wire));
}

void AppendDouble(std::string& out, uint32_t field, double value) {
  AppendKey(out, field, Wire::kFixed64);
  AppendFixed(out, std::bit_cast<uint64_t>(value));
}
void AppendFloat(std::string& out, uint32_t field, float value) {
  AppendKey(out, field, Wire::kFixed32);
  AppendFixed(out, std::bit_cast<uint32_t>(value));
}
void AppendInteger(std::string& out, uint32_t field, int64_t value) {
  AppendKey(out, field, Wire::kVarint);
  AppendVarint(out, static_cast<uint64_t>(value));
}
void AppendBytes(std::string& out, uint32_t field, std::string_view value) {
  AppendKey(out, field, Wire::kBytes);
  AppendVarint(out, value.size());
  out += value;
}

void AppendPackedDoubles(std::string& out, uint32_t field, const std::vector<double>& values) {
  std::string packed;
  for (const double value : values) AppendFixed(packed, std::bit_cast<uint64_t>(value));
  AppendBytes(out, field, packed);
}

// TFRecord's way to keep a checksum of data that itself contains checksums from degenerating.
uint32_t MaskedCrc32c(std::string_view text) { return std::rotr(Crc32c(text), 15) + 0xa282ead8u; }

constexpr uint32_t kEventWallTime = 1, kEventStep = 2, kEventFileVersion = 3, kEventSummary = 5;
constexpr uint32_t kSummaryValue = 1, kValueTag = 1, kValueSimpleValue = 2, kValueHisto = 5;
constexpr uint32_t kHistoMin = 1, kHistoMax = 2, kHistoNum = 3, kHistoSum = 4, kHistoSumSquares = 5,
                   kHistoBucketLimit = 6, kHistoBucket = 7;

// The event of one value, of which everything but the tag is already in wire format.
std::string SummaryEvent(double wall_time, int64_t step, std::string_view tag, std::string_view value) {
  std::string summary_value;
  AppendBytes(summary_value, kValueTag, tag);
  summary_value += value;
  std::string summary;
  AppendBytes(summary, kSummaryValue, summary_value);
  std::string event;
  AppendDouble(event, kEventWallTime, wall_time);
  AppendInteger(event, kEventStep, step);
  AppendBytes(event, kEventSummary, summary);
  return event;
}

}  // namespace

std::string FrameRecord(std::string_view data) {
  std::string record;
  AppendFixed(record, static_cast<uint64_t>(data.size()));
  AppendFixed(record, MaskedCrc32c(record));
  record += data;
  AppendFixed(record, MaskedCrc32c(data));
  return record;
}

std::string VersionEvent(double wall_time) {
  std::string event;
  AppendDouble(event, kEventWallTime, wall_time);
  AppendBytes(event, kEventFileVersion, "brain.Event:2");
  return event;
}

std::string ScalarEvent(double wall_time, int64_t step, std::string_view tag, float value) {
  std::string simple_value;
  AppendFloat(simple_value, kValueSimpleValue, value);
  return SummaryEvent(wall_time, step, tag, simple_value);
}

std::string HistogramEvent(double wall_time, int64_t step, std::string_view tag, const Histogram& histogram) {
  std::string message;
  AppendDouble(message, kHistoMin, histogram.min);
  AppendDouble(message, kHistoMax, histogram.max);
  AppendDouble(message, kHistoNum, histogram.num);
  AppendDouble(message, kHistoSum, histogram.sum);
  AppendDouble(message, kHistoSumSquares, histogram.sum_squares);
  AppendPackedDoubles(message, kHistoBucketLimit, histogram.bucket_limits);
  AppendPackedDoubles(message, kHistoBucket, histogram.bucket_counts);
  std::string value;
  AppendBytes(value, kValueHisto, message);
  return SummaryEvent(wall_time, step, tag, value);
}

}  // namespace replicator::io
