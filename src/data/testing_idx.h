// A writer of IDX and gzip for tests, independent of the reader.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace replicator::data {

inline std::string IdxBytes(char type, const std::vector<uint32_t>& extents, const std::string& payload) {
  std::string bytes = {0, 0, type, static_cast<char>(extents.size())};
  for (uint32_t extent : extents) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(extent >> shift & 0xff);
  }
  return bytes + payload;
}

inline std::string Gzip(std::string plain) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  std::string zipped(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(zipped.data());
  stream.avail_out = static_cast<uInt>(zipped.size());
  deflate(&stream, Z_FINISH);
  zipped.resize(stream.total_out);
  deflateEnd(&stream);
  return zipped;
}

}  // namespace replicator::data
