// Operations that own regions.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/op_def.h"
#include "replicator/ops/control_flow.h"

namespace replicator {

// operands: an i32 scalar, then what the regions read; regions: graphs that take the latter as their parameters and
// agree in the shapes of their outputs. The results are the outputs of the region that the index selects (the last one
// for an index out of range, StableHLO's rule).
extern const OpDef kCase;

// operands: carries, then captures; attribute "carries": how many. Two regions take all of them: the first returns
// whether to go on (bool scalar), the second the next carries. The results are the last carries.
extern const OpDef kWhile;

// A loop of at most "length" iterations. operands: where "dynamic", the number of iterations (i32 scalar, clamped to
// [0, length]); "carries" carries; "xs" tensors with a leading axis of "length"; captures. The region takes the
// iteration i (i32 scalar), the carries, row i of each x, and the captures; it returns the next carries and rows. The
// results are the last carries, and tensors whose row i is what iteration i returned (zero where there was none). With
// "reverse", i counts down to 0. With "saved", the last "carries" rows are the carries that came into the iteration:
// differentiation adds them.
extern const OpDef kScan;

// Where the operands of a kScan and the parameters of its region begin.
struct ScanLayout {
  explicit ScanLayout(const Node& node);

  int64_t length;
  bool reverse, dynamic, saved;
  size_t carries, xs, captures, ys;
  size_t first_carry, first_x, first_capture;  // among the operands; in the region they are those from 1
};

// The typing of the parameters of every region of a node, for operands of these typings: what it computes may come back
// as its own parameters.
std::vector<std::vector<Typing>> RegionParameterTypings(const Node& node, std::span<const Typing> operands);

// Throws Error, with both lines, if the node decides by a varying value whether or how often a collective is run: some
// replicas would wait for others that never come.
void RequireReplicatedControl(const Node& node, std::span<const Typing> operands);

// What the public functions and the gradients build with. `what` names a region in errors; bodies are called in a
// region, more than once where the typing of what they return makes it necessary.
using BranchFn = std::function<std::vector<Tensor>(int branch)>;
std::vector<Tensor> BuildCase(const Tensor& index, std::span<const std::string> names, const BranchFn& branch,
                              bool keep_collectives, SourceLocation where);

struct ScanArguments {
  Tensor iteration;
  std::vector<Tensor> carries, xs;
};
struct ScanResults {
  std::vector<Tensor> carries, ys;
};
using ScanFn = std::function<ScanResults(const ScanArguments& arguments)>;
struct ScanSettings {
  const char* op = "scan";  // in errors, as is the name of the body
  std::string name;
  int64_t length = 0;
  Tensor trip_count = {};  // i32, or undefined
  bool reverse = false;
  bool keep_collectives = true;
};
ScanResults BuildScan(const ScanSettings& settings, const std::vector<Tensor>& init, const std::vector<Tensor>& xs,
                      const ScanFn& body, SourceLocation where);

}  // namespace replicator
