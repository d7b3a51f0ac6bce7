// How branches and loops are built: bodies in regions, whose captures become operands.
#include <fmt/format.h>

#include <algorithm>

#include "graph/build_context.h"
#include "graph/region.h"
#include "ops/control_flow.h"
#include "ops/control_flow_build.h"
#include "replicator/graph/graph_error.h"
#include "replicator/ops/elementwise.h"
#include "replicator/ops/shape.h"

namespace replicator {
namespace {

const Shape kIndex{DType::kI32, {}};

}  // namespace

BodyBuilder::BodyBuilder(std::string name, SourceLocation where)
    : name_(std::move(name)),
      where_(where),
      scope_(std::in_place, BuildContext::Current(where), name_),
      graph_(scope_->graph()) {}

Tensor BodyBuilder::Parameter(const Shape& shape, Typing typing) {
  ++num_parameters_;
  return scope_->Parameter(shape, typing, where_);
}

void BodyBuilder::Return(const std::vector<Tensor>& outputs) {
  for (const Tensor& output : outputs) {
    if (!output.defined()) {
      throw GraphError("return", {}, "an undefined Tensor is returned from " + name_, CallSite::Chain(where_));
    }
    const std::optional<Value> value = graph_->Resolve(output);
    if (!value.has_value()) {
      throw GraphError("return", {output.shape()},
                       "a Tensor of another graph, made at " + ToString(output.location()) + ", is returned from " +
                           name_ + "; return what was built there, or what is known around it",
                       {where_, output.location()});
    }
    outputs_.push_back(*value);
  }
}

BuiltBody BodyBuilder::Take() {
  scope_.reset();
  return {graph_, num_parameters_, outputs_};
}

std::vector<Tensor> AddWithRegions(const OpDef& op, std::vector<Tensor> operands, std::span<const BuiltBody> bodies,
                                   Attributes attributes, bool keep_collectives, SourceLocation where) {
  Graph& graph = *BuildContext::Current(where).graph();
  std::vector<Value> captures;
  for (const BuiltBody& body : bodies) {
    for (Value value : body.graph->captures()) {
      if (std::find(captures.begin(), captures.end(), value) == captures.end()) captures.push_back(value);
    }
  }
  for (Value value : captures) operands.emplace_back(graph.shared_from_this(), value);
  std::vector<Region> regions;
  for (const BuiltBody& body : bodies) {
    regions.push_back(FinishRegion(*body.graph, body.num_parameters, captures, graph, body.outputs,
                                   {.keep_collectives = keep_collectives}));
  }
  std::vector<Typing> typings;
  for (const Tensor& operand : operands) typings.push_back(operand.typing());
  const std::vector<Tensor> results = graph.Add(op, operands, std::move(attributes), where, std::move(regions));
  RequireReplicatedControl(graph.node(results[0].value().node), typings);
  return results;
}

namespace {

// "f32[2], i32[]"
std::string OutputList(const BuiltBody& body) {
  std::string text;
  for (Value output : body.outputs) text += (text.empty() ? "" : ", ") + ToString(body.graph->shape(output));
  return text.empty() ? "nothing" : text;
}

void CheckSameOutputs(const BuiltBody& a, const std::string& a_name, const BuiltBody& b, const std::string& b_name,
                      SourceLocation where) {
  const auto same = [&](Value x, Value y) { return a.graph->shape(x) == b.graph->shape(y); };
  const auto [x, y] = std::mismatch(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(), same);
  if (x == a.outputs.end() && y == b.outputs.end() && !a.outputs.empty()) return;
  std::vector<SourceLocation> lines = {where};
  if (x != a.outputs.end()) lines.push_back(a.graph->node(x->node).user);
  if (y != b.outputs.end()) lines.push_back(b.graph->node(y->node).user);
  throw GraphError("cond", {},
                   fmt::format("{} returns {}, but {} returns {}; both must return the same number of tensors, at "
                               "least one, of the same dtypes and shapes",
                               a_name, OutputList(a), b_name, OutputList(b)),
                   std::move(lines));
}

}  // namespace

std::vector<Tensor> BuildCase(const Tensor& index, std::span<const std::string> names, const BranchFn& branch,
                              bool keep_collectives, SourceLocation where) {
  std::vector<BuiltBody> bodies;
  for (size_t k = 0; k < names.size(); ++k) {
    BodyBuilder builder(names[k], where);
    builder.Return(branch(static_cast<int>(k)));
    bodies.push_back(builder.Take());
    CheckSameOutputs(bodies[0], names[0], bodies[k], names[k], where);
  }
  return AddWithRegions(kCase, {index}, bodies, {}, keep_collectives, where);
}

namespace {

// What the body has returned so far are its next carries.
void CheckCarries(const BodyBuilder& body, const char* op, const std::vector<Tensor>& init, SourceLocation where) {
  if (body.num_outputs() != init.size()) {
    throw GraphError(op, {},
                     fmt::format("{} returns {} carries, but takes {}", body.name(), body.num_outputs(), init.size()),
                     CallSite::Chain(where));
  }
  for (size_t i = 0; i < init.size(); ++i) {
    if (body.output_shape(i) == init[i].shape()) continue;
    throw GraphError(
        op, {init[i].shape()},
        fmt::format("carry {} begins as {}, made at {}, but {} makes it {} at {}; dtypes and shapes do not change "
                    "between iterations",
                    i, ToString(init[i].shape()), ToString(init[i].location()), body.name(),
                    ToString(body.output_shape(i)), ToString(body.output_location(i))),
        {where, init[i].location(), body.output_location(i)});
  }
}

// Takes in what the body makes of the carries; whether that changed anything, so that the body must be built once more.
bool RaiseTypings(const BodyBuilder& body, std::vector<Typing>& typings) {
  bool changed = false;
  for (size_t i = 0; i < typings.size(); ++i) {
    const Typing joined = Join(typings[i], body.output_typing(i));
    changed |= joined != typings[i];
    typings[i] = joined;
  }
  return changed;
}

std::vector<Typing> TypingsOf(const std::vector<Tensor>& tensors) {
  std::vector<Typing> typings;
  for (const Tensor& tensor : tensors) typings.push_back(tensor.typing());
  return typings;
}

Shape RowOf(const Tensor& x) { return {x.dtype(), {x.dims().begin() + 1, x.dims().end()}}; }

}  // namespace

ScanResults BuildScan(const ScanSettings& settings, const std::vector<Tensor>& init, const std::vector<Tensor>& xs,
                      const ScanFn& body, SourceLocation where) {
  BuildContext& build = BuildContext::Current(where);
  const std::map<std::string, int> draws = build.draws();
  std::vector<Typing> typings = TypingsOf(init);
  const bool dynamic = settings.trip_count.defined();
  while (true) {
    build.set_draws(draws);
    BodyBuilder builder(settings.name, where);
    ScanArguments arguments;
    arguments.iteration = builder.Parameter(kIndex, Typing::kReplicated);
    builder.SetIteration(arguments.iteration);
    for (size_t i = 0; i < init.size(); ++i) {
      arguments.carries.push_back(builder.Parameter(init[i].shape(), typings[i]));
    }
    for (const Tensor& x : xs) arguments.xs.push_back(builder.Parameter(RowOf(x), x.typing()));
    const ScanResults returned = body(arguments);
    builder.Return(returned.carries);
    CheckCarries(builder, settings.op, init, where);
    builder.Return(returned.ys);
    if (builder.num_outputs() == 0) {
      throw GraphError(settings.op, {}, builder.name() + " returns nothing", CallSite::Chain(where));
    }
    if (RaiseTypings(builder, typings)) continue;

    std::vector<Tensor> operands;
    if (dynamic) operands.push_back(settings.trip_count);
    operands.insert(operands.end(), init.begin(), init.end());
    operands.insert(operands.end(), xs.begin(), xs.end());
    const Attributes attributes{{"length", settings.length},
                                {"carries", static_cast<int64_t>(init.size())},
                                {"xs", static_cast<int64_t>(xs.size())},
                                {"reverse", settings.reverse},
                                {"dynamic", dynamic},
                                {"saved", false}};
    const std::vector<BuiltBody> bodies = {builder.Take()};
    const std::vector<Tensor> results =
        AddWithRegions(kScan, std::move(operands), bodies, attributes, settings.keep_collectives, where);
    const auto split = results.begin() + static_cast<std::ptrdiff_t>(init.size());
    return {{results.begin(), split}, {split, results.end()}};
  }
}

namespace {

std::string At(const char* what, SourceLocation where) { return std::string(what) + " at " + ToString(where); }

// Carries, and the number of the iteration as the last one.
std::vector<Tensor> BuildWhile(const std::function<Tensor(const std::vector<Tensor>&)>& cond_fn,
                               const std::function<std::vector<Tensor>(const std::vector<Tensor>&)>& body_fn,
                               const std::vector<Tensor>& init, SourceLocation where) {
  BuildContext& build = BuildContext::Current(where);
  const std::map<std::string, int> draws = build.draws();
  std::vector<Typing> typings = TypingsOf(init);
  const auto add_parameters = [&](BodyBuilder& builder) {
    std::vector<Tensor> carries;
    for (size_t i = 0; i < init.size(); ++i) carries.push_back(builder.Parameter(init[i].shape(), typings[i]));
    builder.SetIteration(carries.back());
    return carries;
  };
  while (true) {
    build.set_draws(draws);
    BodyBuilder body(At("the body of the loop", where), where);
    std::vector<Tensor> carries = add_parameters(body);
    const Tensor count = carries.back();
    carries.pop_back();
    std::vector<Tensor> next = body_fn(carries);
    if (next.size() == carries.size()) next.push_back(Add({count, where}, 1));
    body.Return(next);
    CheckCarries(body, "while", init, where);
    if (RaiseTypings(body, typings)) continue;
    const BuiltBody built_body = body.Take();

    BodyBuilder condition(At("the condition of the loop", where), where);
    carries = add_parameters(condition);
    carries.pop_back();
    condition.Return({cond_fn(carries)});
    const std::vector<BuiltBody> bodies = {condition.Take(), built_body};
    return AddWithRegions(kWhile, init, bodies, {{"carries", static_cast<int64_t>(init.size())}},
                          /*keep_collectives=*/true, where);
  }
}

}  // namespace

namespace control_flow {

void CheckStructures(const char* op, const std::string& expected, const std::string& found, const char* what,
                     SourceLocation where) {
  if (expected == found) return;
  throw GraphError(op, {}, fmt::format("{} must have the same structure, but are {} and {}", what, expected, found),
                   CallSite::Chain(where));
}

Leaves Cond(const Operand& predicate, const std::function<Leaves()>& then_fn, const std::function<Leaves()>& else_fn,
            SourceLocation where) {
  const Tensor& holds = predicate.tensor();
  if (holds.shape() != Shape{DType::kBool, {}}) {
    throw GraphError("cond", {holds.shape()}, "the predicate must be a bool scalar", CallSite::Chain(where));
  }
  const std::string names[] = {At("the first branch of the Cond", where), At("the second branch of the Cond", where)};
  return BuildCase(
      Convert(Not({holds, where}), DType::kI32), names, [&](int branch) { return branch == 0 ? then_fn() : else_fn(); },
      /*keep_collectives=*/true, where);
}

Leaves While(const std::function<Tensor(const Leaves&)>& cond_fn, const std::function<Leaves(const Leaves&)>& body_fn,
             const Leaves& init, SourceLocation where) {
  std::vector<Tensor> carries = init;
  carries.push_back(Zeros(kIndex, where));
  std::vector<Tensor> results = BuildWhile(cond_fn, body_fn, carries, where);
  results.pop_back();
  return results;
}

Leaves For(const TripCount& n, const std::function<Leaves(const Tensor& i, const Leaves&)>& body, const Leaves& init,
           SourceLocation where) {
  ScanSettings settings{.op = "for", .name = At("the body of the loop", where), .length = n.bound()};
  if (n.count().has_value()) {
    const Tensor& count = n.count()->tensor();
    if (count.rank() != 0 || (count.dtype() != DType::kI32 && count.dtype() != DType::kI64)) {
      throw GraphError("for", {count.shape()}, "the number of iterations must be an i32 or i64 scalar",
                       CallSite::Chain(where));
    }
    settings.trip_count = Convert(Clamp({Zeros(count.shape(), where), where}, {count, where}, n.bound()), DType::kI32);
  }
  return BuildScan(
             settings, init, {},
             [&](const ScanArguments& arguments) -> ScanResults {
               return {body(arguments.iteration, arguments.carries), {}};
             },
             where)
      .carries;
}

ScanLeaves Scan(const std::function<ScanLeaves(const Leaves& carry, const Leaves& x)>& body, const Leaves& init,
                const Leaves& xs, const ScanOptions& options, SourceLocation where) {
  std::optional<int64_t> length = options.length;
  for (const Tensor& x : xs) {
    if (x.rank() > 0 && !length.has_value()) length = x.dims()[0];
    if (x.rank() > 0 && x.dims()[0] == *length) continue;
    throw GraphError("scan", {x.shape()},
                     fmt::format("every x needs a leading axis of the same extent{}",
                                 length.has_value() ? ", " + std::to_string(*length) : std::string()),
                     CallSite::Chain(where));
  }
  if (!length.has_value()) {
    throw GraphError("scan", {}, "there are no xs; give the number of iterations as .length", CallSite::Chain(where));
  }
  const ScanResults results = BuildScan(
      {.op = "scan", .name = At("the body of the Scan", where), .length = *length, .reverse = options.reverse}, init,
      xs,
      [&](const ScanArguments& arguments) -> ScanResults {
        ScanLeaves output = body(arguments.carries, arguments.xs);
        return {std::move(output.carry), std::move(output.ys)};
      },
      where);
  return {results.carries, results.ys};
}

}  // namespace control_flow
}  // namespace replicator
