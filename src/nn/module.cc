#include "replicator/nn/module.h"

#include <cxxabi.h>
#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

#include "graph/build_context.h"
#include "replicator/graph/graph_error.h"

namespace replicator::nn {
namespace {

void CheckName(const std::string& name) {
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.') continue;
    throw Error(ErrorCode::kInvalidArgument,
                fmt::format("'{}' cannot name a module: letters, digits, '_', '-' and '.' are allowed", name));
  }
}

bool IsLower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }
bool IsUpper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

}  // namespace

struct Module::State {
  std::string name;
  std::string type;
  std::string path;  // empty until it is fixed
  std::shared_ptr<State> parent;
  std::set<std::string> parts;
  std::map<std::string, Variable> variables;
};

std::string SnakeCaseTypeName(const std::type_info& type) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = status == 0 ? demangled : type.name();
  std::free(demangled);
  // "(anonymous namespace)::Outer<A::B>::Inner<C>" -> "Inner": the last name outside of angle brackets.
  int depth = 0;
  std::string last;
  for (char c : name) {
    if (c == '<') ++depth;
    if (depth == 0) {
      if (c == ':') last.clear();
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') last += c;
    }
    if (c == '>') --depth;
  }
  std::string snake;
  for (size_t i = 0; i < last.size(); ++i) {
    const bool next_is_lower = i + 1 < last.size() && IsLower(last[i + 1]);
    if (i > 0 && IsUpper(last[i]) && last[i - 1] != '_' && (IsLower(last[i - 1]) || next_is_lower)) snake += '_';
    snake += static_cast<char>(std::tolower(static_cast<unsigned char>(last[i])));
  }
  return snake;
}

Module::Module(std::string name) : state_(std::make_shared<State>()) {
  CheckName(name);
  state_->name = std::move(name);
}

const std::string& Module::given_name() const { return state_->name; }

void Module::NoteType() const {
  if (state_->path.empty()) state_->type = SnakeCaseTypeName(typeid(*this));
}

const std::string& Module::path() const {
  NoteType();
  return Resolve(*state_);
}

const std::string& Module::Resolve(State& state) {
  if (state.path.empty()) {
    const std::string& name = state.name.empty() ? state.type : state.name;
    state.path = state.parent == nullptr ? name : Resolve(*state.parent) + "/" + name;
  }
  return state.path;
}

void Module::Adopt(std::string name, const Module& child) {
  CheckName(name);
  NoteType();
  State& part = *child.state_;
  const auto refuse = [&](ErrorCode code, const std::string& why) {
    throw Error(code, fmt::format("cannot add a part '{}' to the module '{}': {}", name,
                                  state_->name.empty() ? state_->type : state_->name, why));
  };
  if (name.empty()) refuse(ErrorCode::kInvalidArgument, "a part needs a name");
  if (&part == state_.get()) refuse(ErrorCode::kInvalidArgument, "it is the module itself");
  if (part.parent != nullptr) {
    refuse(ErrorCode::kInvalidArgument,
           "it already is the part '" + part.name + "' of a module; a module has one parent, make another one");
  }
  if (!part.path.empty()) {
    refuse(ErrorCode::kInvalidArgument, "it has been called before, as '" + part.path + "'; add it first");
  }
  if (!part.name.empty() && part.name != name) {
    refuse(ErrorCode::kInvalidArgument, "it was named '" + part.name + "'; leave out .name, or use the same name");
  }
  if (!state_->parts.insert(name).second) refuse(ErrorCode::kAlreadyExists, "another part has that name");
  part.name = std::move(name);
  part.parent = state_;
}

Variable Module::Parameter(const std::string& name, const Shape& shape, const Initializer& initializer,
                           const ParameterOptions& options, SourceLocation where) const {
  const auto found = state_->variables.find(name);
  if (found == state_->variables.end()) {
    Variable variable({.name = path() + "/" + name,
                       .shape = shape,
                       .initializer = initializer,
                       .trainable = options.trainable,
                       .aggregation = options.aggregation},
                      where);
    return state_->variables.emplace(name, std::move(variable)).first->second;
  }
  const Variable& variable = found->second;
  if (variable.shape() == shape) return variable;
  std::vector<SourceLocation> lines = CallSite::Chain(where);
  const std::vector<SourceLocation>& declared = variable.def().where;
  lines.insert(lines.begin() + 1, declared.begin(), declared.end());
  throw GraphError(
      path(), {shape},
      fmt::format("the first call, at {}, made '{}' {}, but the input of the call at {} needs {}; a module "
                  "keeps the shape and dtype of its first input, make another module for another one",
                  ToString(declared.front()), variable.name(), replicator::ToString(variable.shape()),
                  ToString(lines.front()), replicator::ToString(shape)),
      lines);
}

Module::Scope::Scope(const Module& module, SourceLocation where)
    : site_(where), scope_(NameScope::Absolute(module.path())) {
  BuildContext::Current(where).ClaimScope(module.path(), module.state_, where);
}

}  // namespace replicator::nn
