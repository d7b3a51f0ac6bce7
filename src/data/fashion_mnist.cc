#include "replicator/data/fashion_mnist.h"

#include "base/file_system.h"
#include "replicator/base/error.h"
#include "replicator/data/idx.h"

namespace replicator::data {
namespace {

constexpr int64_t kSide = 28;
constexpr int kClasses = 10;

Literal Read(const std::string& path, int rank, SourceLocation where) {
  try {
    return ReadIdx(path, DType::kU8, rank);
  } catch (const Error& error) {
    const bool missing = error.code() == ErrorCode::kNotFound;
    throw Error(error.code(),
                missing ? path +
                              " does not exist; install it with 'apt install dataset-fashion-mnist', or name the "
                              "directory that holds Fashion-MNIST"
                        : error.message(),
                {where});
  }
}

}  // namespace

Dataset FashionMnist(const std::string& directory, Split split, SourceLocation where) {
  const std::string prefix = split == Split::kTrain ? "train" : "t10k";
  const std::string images_path = JoinPath(directory, prefix + "-images-idx3-ubyte.gz");
  const std::string labels_path = JoinPath(directory, prefix + "-labels-idx1-ubyte.gz");
  const auto refuse = [&](const std::string& what) { throw Error(ErrorCode::kInvalidArgument, what, {where}); };

  const Literal labels = Read(labels_path, 1, where);
  const Literal images = Read(images_path, 3, where);
  const int64_t count = images.dims()[0];
  if (images.dims() != Dims{count, kSide, kSide}) {
    refuse(images_path + ": holds " + ToString(images.shape()) + ", but images of 28 x 28 were expected");
  }
  if (labels.dims()[0] != count) {
    refuse(images_path + " holds " + std::to_string(count) + " images, but " + labels_path + " holds " +
           std::to_string(labels.dims()[0]) + " labels");
  }
  const auto classes = labels.data<uint8_t>();
  for (size_t i = 0; i < classes.size(); ++i) {
    if (classes[i] < kClasses) continue;
    refuse(labels_path + ": label " + std::to_string(i) + " is " + std::to_string(classes[i]) +
           ", but there are classes 0 to 9");
  }
  return Dataset::FromTensors(
      {{"image", images.Reshape({count, kSide, kSide, 1})}, {"label", labels.ConvertTo(DType::kI32)}}, where);
}

}  // namespace replicator::data
