#include "random_program.h"

#include <random>
#include <sstream>

namespace replicator::testing {
namespace {

using Kind = Instruction::Kind;

class Generator {
 public:
  Generator(uint64_t seed, int num_replicas) : random_(seed), num_replicas_(num_replicas) {
    program_.seed = seed;
    program_.num_replicas = num_replicas;
    values_ = {{{2, 3}, true}, {{3}, false}};
  }

  RandomProgram Make() {
    target_ = &program_.instructions;
    const int length = 4 + Below(10);
    for (int i = 0; i < length; ++i) Step({.collectives = true, .differ = true, .depth = 0});
    for (int i = 0; i < 3; ++i) program_.outputs.push_back(Any());
    program_.outputs.push_back(static_cast<int>(values_.size()) - 1);
    int source = Any();
    if (values_[static_cast<size_t>(source)].varying) {
      source =
          Add({.kind = Kind::kCollective, .which = Instruction::kAllMean, .operands = {source}}, DimsOf(source), false);
    }
    program_.assigned = Fit(source, {3});
    return std::move(program_);
  }

 private:
  struct Info {
    Dims dims;
    bool varying;
  };
  struct Rules {
    bool collectives, differ;
    int depth;
  };

  int Below(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  double Number() { return static_cast<double>(random_() % 4001) / 1000.0 - 2.0 + 0.000123; }
  int Any() { return Below(static_cast<int>(values_.size())); }
  Dims DimsOf(int value) const { return values_[static_cast<size_t>(value)].dims; }
  bool Varying(int value) const { return values_[static_cast<size_t>(value)].varying; }
  // A random value that is varying or not, as asked for; -1 if none was found.
  int AnyThat(bool varying) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      if (const int value = Any(); Varying(value) == varying) return value;
    }
    return -1;
  }

  int Add(Instruction instruction, Dims dims, bool varying) {
    target_->push_back(std::move(instruction));
    values_.push_back({std::move(dims), varying});
    return static_cast<int>(values_.size()) - 1;
  }
  // The value with the extents `dims`: its sum, broadcast, where they differ.
  int Fit(int value, const Dims& dims) {
    if (DimsOf(value) == dims) return value;
    const int sum = Add({.kind = Kind::kReduceSum, .operands = {value}}, {}, Varying(value));
    return Add({.kind = Kind::kBroadcast, .operands = {sum}, .dims = dims}, dims, Varying(value));
  }

  void Step(const Rules& rules) {
    const int choice = Below(100);
    if (choice < 8) {
      Add({.kind = Kind::kConstant, .number = Number(), .dims = {3}}, {3}, false);
    } else if (choice < 20) {
      const int x = Any();
      Add({.kind = Kind::kUnary, .which = Below(Instruction::kNumUnary), .operands = {x}}, DimsOf(x), Varying(x));
    } else if (choice < 38) {
      const int x = Any(), y = Fit(Any(), DimsOf(x));
      Add({.kind = Kind::kBinary, .which = Below(Instruction::kNumBinary), .operands = {x, y}}, DimsOf(x),
          Varying(x) || Varying(y));
    } else if (choice < 44) {
      const int x = Any(), y = Fit(Any(), DimsOf(x));
      Add({.kind = Kind::kSelect, .operands = {x, y}, .number = Number()}, DimsOf(x), Varying(x) || Varying(y));
    } else if (choice < 52) {
      Move();
    } else if (choice < 76) {
      if (rules.collectives) Communicate();
    } else if (choice < 84) {
      if (rules.differ) Differ(rules);
    } else if (rules.depth < 2) {
      choice < 93 ? Branch(rules) : Loop(rules);
    }
  }

  void Move() {
    const int x = Any();
    const Dims dims = DimsOf(x);
    if (dims.empty()) return;
    const Dims rest(dims.begin() + 1, dims.end());
    switch (Below(3)) {
      case 0:
        Add({.kind = Kind::kTranspose, .operands = {x}}, Dims(dims.rbegin(), dims.rend()), Varying(x));
        break;
      case 1: {
        Dims fewer = dims;
        if (--fewer[0] > 0) Add({.kind = Kind::kSlice, .operands = {x}}, fewer, Varying(x));
        break;
      }
      default:
        Add({.kind = Kind::kSumOfAxis0, .operands = {x}}, rest, Varying(x));
    }
  }

  void Communicate() {
    const int x = AnyThat(true);
    if (x < 0) return;
    const int which = Below(Instruction::kNumCollective);
    Instruction instruction{.kind = Kind::kCollective, .which = which, .operands = {x}, .times = Below(num_replicas_)};
    Dims dims = DimsOf(x);
    const bool varying =
        which == Instruction::kReduceScatter || which == Instruction::kAllToAll || which == Instruction::kPermute;
    if (which == Instruction::kAllGather) {
      if (dims.size() >= 3) return;
      dims.insert(dims.begin(), num_replicas_);
    } else if (which == Instruction::kWeightedMean) {
      instruction.operands.push_back(Fit(Any(), dims));
      dims = {};
    }
    Add(std::move(instruction), dims, varying);
  }

  // A block with one result of the extents `dims` (any, if null); returns whether it varies.
  bool MakeBlock(Block& block, const Rules& rules, std::vector<Info> parameters, const Dims& dims) {
    std::vector<Instruction>* const outer = target_;
    const size_t visible = values_.size();
    target_ = &block.instructions;
    values_.insert(values_.end(), parameters.begin(), parameters.end());
    const int length = 1 + Below(4);
    for (int i = 0; i < length; ++i) Step(rules);
    block.result = Fit(static_cast<int>(values_.size()) - 1, dims);
    const bool varying = Varying(block.result);
    values_.erase(values_.begin() + static_cast<std::ptrdiff_t>(visible), values_.end());
    target_ = outer;
    return varying;
  }

  void Differ(const Rules& rules) {
    Instruction instruction{.kind = Kind::kDiffer, .blocks = std::vector<Block>(2)};
    const Dims dims = DimsOf(Any());
    bool any = false;
    for (Block& block : instruction.blocks) {
      const bool block_varies =
          MakeBlock(block, {.collectives = false, .differ = false, .depth = rules.depth + 1}, {}, dims);
      if (num_replicas_ > 1 || &block == &instruction.blocks[0]) any |= block_varies;
    }
    // One replica is like none: whatever its number, it does not differ from others.
    const bool varying = num_replicas_ > 1 || any;
    const int chosen = Add(std::move(instruction), dims, varying);
    // Whatever the blocks are, this makes the replicas differ.
    const int constant =
        Add({.kind = Kind::kReplicaConstant, .number = Number(), .dims = dims}, dims, num_replicas_ > 1);
    Add({.kind = Kind::kBinary, .which = Instruction::kAdd, .operands = {chosen, constant}}, dims, varying);
  }

  // Collectives may stand in a region only if all replicas run it and build it alike.
  Rules Inside(const Rules& rules, bool replicated) {
    const bool collectives = rules.collectives && replicated && Below(2) == 0;
    return {.collectives = collectives, .differ = rules.differ && !collectives, .depth = rules.depth + 1};
  }

  void Branch(const Rules& rules) {
    const int predicate = Any();
    const Dims dims = DimsOf(Any());
    Instruction instruction{
        .kind = Kind::kCond, .operands = {predicate}, .number = Number(), .blocks = std::vector<Block>(2)};
    const Rules inside = Inside(rules, !Varying(predicate));
    bool varying = Varying(predicate);
    for (Block& block : instruction.blocks) varying |= MakeBlock(block, inside, {}, dims);
    Add(std::move(instruction), dims, varying);
  }

  void Loop(const Rules& rules) {
    const int init = AnyThat(true);
    if (init < 0) return;
    Instruction instruction{.kind = Kind::kFor, .operands = {init}, .times = Below(4), .blocks = std::vector<Block>(1)};
    const Dims dims = DimsOf(init);
    MakeBlock(instruction.blocks[0], Inside(rules, true), {{{}, false}, {dims, true}}, dims);
    Add(std::move(instruction), dims, true);
  }

  std::mt19937_64 random_;
  const int num_replicas_;
  RandomProgram program_;
  std::vector<Instruction>* target_ = nullptr;
  std::vector<Info> values_;  // visible
};

// `visible`: how many values there are before the instruction; returns how many after.
void Print(std::ostream& out, const std::vector<Instruction>& instructions, int visible, const std::string& indent) {
  static constexpr const char* kKinds[] = {"constant",   "replica_constant", "unary",     "binary",    "select",
                                           "reduce_sum", "sum_axis0",        "broadcast", "transpose", "slice",
                                           "collective", "differ",           "cond",      "for"};
  for (const Instruction& instruction : instructions) {
    out << indent << "v" << visible << " = " << kKinds[static_cast<size_t>(instruction.kind)] << "#"
        << instruction.which;
    for (int operand : instruction.operands) out << " v" << operand;
    out << " number=" << instruction.number << " times=" << instruction.times << " dims=[";
    for (int64_t extent : instruction.dims) out << extent << ",";
    out << "]\n";
    const int parameters = instruction.kind == Kind::kFor ? 2 : 0;
    for (const Block& block : instruction.blocks) {
      Print(out, block.instructions, visible + parameters, indent + "  ");
      out << indent << "  -> v" << block.result << "\n";
    }
    ++visible;
  }
}

}  // namespace

RandomProgram Generate(uint64_t seed, int num_replicas) { return Generator(seed, num_replicas).Make(); }

std::string ToString(const RandomProgram& program) {
  std::ostringstream out;
  out << "seed " << program.seed << ", " << program.num_replicas << " replicas\n";
  Print(out, program.instructions, 2, "");
  out << "outputs";
  for (int output : program.outputs) out << " v" << output;
  out << "; assigned v" << program.assigned << "\n";
  return out.str();
}

}  // namespace replicator::testing
