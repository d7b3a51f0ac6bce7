// TensorBoard's event file format, as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "replicator/io/histogram.h"

namespace replicator::io {

// One record of a TFRecord file: length, masked checksum of the length, data, masked checksum of the data.
std::string FrameRecord(std::string_view data);

// Event messages (TensorFlow, core/util/event.proto and core/framework/summary.proto) in protobuf's wire format.
// `wall_time` is in seconds since 1970.
std::string VersionEvent(double wall_time);
std::string ScalarEvent(double wall_time, int64_t step, std::string_view tag, float value);
std::string HistogramEvent(double wall_time, int64_t step, std::string_view tag, const Histogram& histogram);

}  // namespace replicator::io
