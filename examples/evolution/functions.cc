#include "evolution/functions.h"

#include <map>
#include <numbers>

namespace evolution {
namespace {

namespace rp = replicator;

rp::Tensor SumOverDimensions(const rp::Tensor& x) { return rp::ReduceSum(x, {.axes = {{1}}}); }

// Many local minima, near all points of whole coordinates; the best one is at 0.
rp::Tensor Rastrigin(const rp::Tensor& x) {
  return SumOverDimensions(rp::Square(x) + 10 * (1 - rp::Cosine(x * (2 * std::numbers::pi))));
}

// A narrow, bent valley, with the minimum at (1, ..., 1).
rp::Tensor Rosenbrock(const rp::Tensor& x) {
  const rp::Tensor head = rp::Slice(x, {0, 0}, {x.dim(0), x.dim(1) - 1});
  const rp::Tensor tail = rp::Slice(x, {0, 1}, {x.dim(0), x.dim(1)});
  return SumOverDimensions(100 * rp::Square(tail - rp::Square(head)) + rp::Square(1 - head));
}

rp::Tensor Sphere(const rp::Tensor& x) { return SumOverDimensions(rp::Square(x)); }

const std::map<std::string, Function>& Functions() {
  static const std::map<std::string, Function> functions = {
      {"rastrigin", {.start = 3.3, .of = Rastrigin}},
      {"rosenbrock", {.start = -1.2, .of = Rosenbrock}},
      {"sphere", {.start = 5, .of = Sphere}},
  };
  return functions;
}

}  // namespace

std::vector<std::string> FunctionNames() {
  std::vector<std::string> names;
  for (const auto& [name, function] : Functions()) names.push_back(name);
  return names;
}

const Function& FunctionNamed(const std::string& name) { return Functions().at(name); }

}  // namespace evolution
