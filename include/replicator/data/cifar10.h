// CIFAR-10 (Krizhevsky, "Learning Multiple Layers of Features from Tiny Images", 2009): 32 x 32 colour images in 10
// classes; 50,000 to train and 10,000 to test.
//
// Format (https://www.cs.toronto.edu/~kriz/cifar.html, "Binary version"): records of 3073 bytes. A record is a label, 0
// to 9, then the red, the green and the blue plane of an image, each 32 x 32 bytes in row-major order.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "replicator/base/literal.h"
#include "replicator/data/dataset.h"
#include "replicator/data/split.h"

namespace replicator {
class FileSystem;
}

namespace replicator::data {

// Components "image", u8 [32,32,3] (row, column, colour), and "label", i32 [], 0 to 9; indexable, in the order of the
// files. Reads data_batch_1.bin to data_batch_5.bin, or test_batch.bin, in `directory` at once (154 MB for kTrain). The
// real files hold 10,000 records; any positive number is accepted.
//
// Throws Error that names the file: kNotFound, which says where to get it, when it is missing; kDataLoss when it is
// empty, does not consist of whole records, or has another label in a record, which is named too; kPermissionDenied or
// kInvalidArgument (a directory) when it cannot be read.
Dataset Cifar10(const std::string& directory, Split split, SourceLocation where = SourceLocation::current());

// All records of one file, from memory: "image" u8 [n,32,32,3] and "label" i32 [n]. `name` stands for the file in
// errors. Throws Error(kDataLoss) as above.
Components ParseCifar10(std::span<const std::byte> bytes, const std::string& name);

// Writes a file of this format, or leaves what is at `path` as it was. `images` is u8 [n,32,32,3] and `labels` i32 [n],
// n > 0. `file_system` is the operating system's by default. Throws Error(kInvalidArgument) for other types or shapes
// and for labels other than 0 to 9, and what the file system throws.
void WriteCifar10(const std::string& path, const Literal& images, const Literal& labels,
                  FileSystem* file_system = nullptr);

}  // namespace replicator::data
