// Functions that are hard to minimise; each has the minimum 0.
#pragma once

#include <replicator/replicator.h>

#include <functional>
#include <string>
#include <vector>

namespace evolution {

struct Function {
  double start = 0;  // where the search begins, in every dimension
  // Arguments [N, D] to values [N].
  std::function<replicator::Tensor(const replicator::Tensor&)> of;
};

std::vector<std::string> FunctionNames();
// `name` is one of them.
const Function& FunctionNamed(const std::string& name);

}  // namespace evolution
