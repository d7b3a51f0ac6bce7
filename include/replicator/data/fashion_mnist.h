// Fashion-MNIST (Xiao, Rasul and Vollgraf, arXiv 1708.07747): 28 x 28 grey images of clothing in 10 classes;
// 60,000 to train and 10,000 to test.
#pragma once

#include <string>

#include "replicator/data/dataset.h"
#include "replicator/data/split.h"

namespace replicator::data {

// Where Debian's package dataset-fashion-mnist keeps the data.
inline constexpr char kFashionMnistDirectory[] = "/usr/share/datasets/fashion-mnist";

// Components "image", u8 [28,28,1], and "label", i32 [], 0 to 9; indexable, in the order of the files. Reads
// {train,t10k}-images-idx3-ubyte.gz and {train,t10k}-labels-idx1-ubyte.gz in `directory` at once (47 MB for kTrain).
//
// Throws Error(kNotFound), which names the package, when they are missing; Error(kInvalidArgument) when they are not
// images and labels of this kind, or differ in number; and what ReadIdx throws.
Dataset FashionMnist(const std::string& directory, Split split, SourceLocation where = SourceLocation::current());

}  // namespace replicator::data
