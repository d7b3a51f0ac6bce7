#include "replicator/data/cifar10.h"

#include <memory>
#include <vector>

#include "base/file_system.h"
#include "replicator/base/error.h"

namespace replicator::data {
namespace {

constexpr size_t kSide = 32, kColours = 3, kPlane = kSide * kSide;
constexpr size_t kImage = kColours * kPlane, kRecord = 1 + kImage;
constexpr int kClasses = 10;
constexpr int kTrainFiles = 5;

size_t CountRecords(uint64_t file_size, const std::string& name) {
  if (file_size > 0 && file_size % kRecord == 0) return file_size / kRecord;
  throw Error(ErrorCode::kDataLoss, name + ": holds " + std::to_string(file_size) +
                                        " bytes, but CIFAR-10 comes in whole records of " + std::to_string(kRecord) +
                                        " bytes, at least one; the file is truncated or of another kind");
}

Components Allocate(size_t records) {
  const auto n = static_cast<int64_t>(records);
  const auto side = static_cast<int64_t>(kSide);
  return {{"image", Literal::Uninitialized({DType::kU8, {n, side, side, static_cast<int64_t>(kColours)}})},
          {"label", Literal::Uninitialized({DType::kI32, {n}})}};
}

// Decodes whole records to where their images and labels go.
void Decode(std::span<const std::byte> bytes, const std::string& name, uint8_t* images, int32_t* labels) {
  for (size_t record = 0; record < bytes.size() / kRecord; ++record) {
    const std::byte* in = bytes.data() + record * kRecord;
    const int label = std::to_integer<int>(in[0]);
    if (label >= kClasses) {
      throw Error(ErrorCode::kDataLoss, name + ": record " + std::to_string(record) + " has the label " +
                                            std::to_string(label) + ", but there are classes 0 to 9");
    }
    labels[record] = label;
    uint8_t* image = images + record * kImage;
    for (size_t colour = 0; colour < kColours; ++colour) {
      const std::byte* plane = in + 1 + colour * kPlane;
      for (size_t i = 0; i < kPlane; ++i) image[i * kColours + colour] = std::to_integer<uint8_t>(plane[i]);
    }
  }
}

std::vector<std::string> PathsOf(const std::string& directory, Split split) {
  if (split == Split::kTest) return {JoinPath(directory, "test_batch.bin")};
  std::vector<std::string> paths;
  for (int i = 1; i <= kTrainFiles; ++i) {
    paths.push_back(JoinPath(directory, "data_batch_" + std::to_string(i) + ".bin"));
  }
  return paths;
}

std::unique_ptr<ReadableFile> Open(const std::string& path) {
  try {
    return FileSystem::Default().OpenForReading(path);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kNotFound) throw;
    throw Error(ErrorCode::kNotFound,
                path +
                    " does not exist; unpack the 'CIFAR-10 binary version' of "
                    "https://www.cs.toronto.edu/~kriz/cifar.html and name the directory that holds its .bin files");
  }
}

Components ReadFiles(const std::vector<std::string>& paths) {
  std::vector<std::unique_ptr<ReadableFile>> files;
  std::vector<size_t> counts;
  size_t total = 0;
  for (const std::string& path : paths) {
    files.push_back(Open(path));
    counts.push_back(CountRecords(files.back()->size(), path));
    total += counts.back();
  }
  Components components = Allocate(total);
  uint8_t* images = components.at("image").mutable_data<uint8_t>().data();
  int32_t* labels = components.at("label").mutable_data<int32_t>().data();
  std::vector<std::byte> content;
  for (size_t i = 0; i < files.size(); ++i) {
    content.resize(counts[i] * kRecord);
    files[i]->Read(0, content);
    Decode(content, paths[i], images, labels);
    images += counts[i] * kImage;
    labels += counts[i];
  }
  return components;
}

}  // namespace

Dataset Cifar10(const std::string& directory, Split split, SourceLocation where) {
  try {
    return Dataset::FromTensors(ReadFiles(PathsOf(directory, split)), where);
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), {where});
  }
}

Components ParseCifar10(std::span<const std::byte> bytes, const std::string& name) {
  Components components = Allocate(CountRecords(bytes.size(), name));
  Decode(bytes, name, components.at("image").mutable_data<uint8_t>().data(),
         components.at("label").mutable_data<int32_t>().data());
  return components;
}

void WriteCifar10(const std::string& path, const Literal& images, const Literal& labels, FileSystem* file_system) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument, "cannot write '" + path + "': " + what);
  };
  const int64_t count = images.dims().empty() ? 0 : images.dims().front();
  const auto side = static_cast<int64_t>(kSide);
  if (count == 0 || images.shape() != Shape{DType::kU8, {count, side, side, static_cast<int64_t>(kColours)}}) {
    refuse("the images are " + ToString(images.shape()) + ", but u8[n,32,32,3] with n > 0 is needed");
  }
  if (labels.shape() != Shape{DType::kI32, {count}}) {
    refuse("the labels are " + ToString(labels.shape()) + ", but i32[" + std::to_string(count) +
           "] is needed, one for each image");
  }
  const auto classes = labels.data<int32_t>();
  for (size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] >= 0 && classes[i] < kClasses) continue;
    refuse("label " + std::to_string(i) + " is " + std::to_string(classes[i]) + ", but there are classes 0 to 9");
  }
  FileSystem& files = file_system != nullptr ? *file_system : FileSystem::Default();
  AtomicWriteFile(files, path, [&](WritableFile& file) {
    const uint8_t* image = images.data<uint8_t>().data();
    std::vector<std::byte> record(kRecord);
    for (const int32_t label : classes) {
      record[0] = std::byte(label);
      for (size_t i = 0; i < kImage; ++i) record[1 + i % kColours * kPlane + i / kColours] = std::byte(image[i]);
      file.Append(record);
      image += kImage;
    }
  });
}

}  // namespace replicator::data
