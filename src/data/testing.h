// What the tests of this room share.
#pragma once

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "replicator/base/error.h"
#include "replicator/data/dataset.h"

// The statement throws an Error of this code whose sentence contains `text`.
#define EXPECT_ERROR(statement, expected_code, text)                                                \
  try {                                                                                             \
    static_cast<void>(statement);                                                                   \
    ADD_FAILURE() << "no error from " #statement;                                                   \
  } catch (const ::replicator::Error& error) {                                                      \
    EXPECT_EQ(error.code(), ::replicator::ErrorCode::expected_code) << error.what();                \
    EXPECT_NE(error.message().find(text), std::string::npos) << error.what() << "\nlacks " << text; \
  }

namespace replicator::data {

// Examples whose only component "id" is 0, 1, ..., size - 1.
inline Dataset Ids(int64_t size) {
  std::vector<int64_t> ids(static_cast<size_t>(size));
  std::iota(ids.begin(), ids.end(), 0);
  return Dataset::FromTensors({{"id", Literal::FromValues<int64_t>({size}, ids)}});
}

// The same as a stream.
inline Dataset IdStream(int64_t size) {
  return Dataset::Generator({{"id", {DType::kI64, {}}}}, [size]() -> GeneratorFn {
    return [size, next = int64_t{0}]() mutable -> std::optional<Components> {
      if (next == size) return std::nullopt;
      return Components{{"id", Literal::Scalar<int64_t>(next++)}};
    };
  });
}

// "id" of an element or of a batch.
inline std::vector<int64_t> IdsOf(const Element& element) {
  const auto ids = element["id"].data<int64_t>();
  return {ids.begin(), ids.end()};
}

// "id" of each element to the end of the sweep.
inline std::vector<std::vector<int64_t>> ReadIds(Iterator& iterator) {
  std::vector<std::vector<int64_t>> ids;
  while (auto element = iterator.Next()) ids.push_back(IdsOf(*element));
  return ids;
}

inline std::vector<std::vector<int64_t>> ReadIds(const Dataset& dataset) {
  Iterator iterator = dataset.MakeIterator();
  return ReadIds(iterator);
}

}  // namespace replicator::data
