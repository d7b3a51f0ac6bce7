#include "fashion_mnist/model.h"

namespace fashion_mnist {

namespace rp = replicator;

rp::Tensor Cnn::operator()(const rp::Operand& images) const {
  const Scope scope(*this, images.where());
  rp::Tensor x = rp::Convert(images, dtype_) * (1.0 / 255);
  x = rp::Relu(conv1_(x));
  x = rp::Relu(norm_(pool_(conv2_(x))));
  x = rp::Flatten(dropout1_(x));
  x = rp::Relu(hidden_(x));
  return logits_(dropout2_(x));
}

}  // namespace fashion_mnist
