#include "replicator/graph/variable.h"

#include "graph/build_context.h"

namespace replicator {

Variable::Variable(VariableOptions options, SourceLocation where) {
  std::vector<SourceLocation> chain = CallSite::Chain(where);
  if (options.name.empty() || options.initializer == nullptr) {
    throw Error(ErrorCode::kInvalidArgument,
                "a variable needs a name and an initializer" +
                    (options.name.empty() ? std::string() : "; '" + options.name + "' has no initializer"),
                std::move(chain));
  }
  if (BuildContext* build = BuildContext::CurrentOrNull()) {
    def_ = build->Declare(std::move(options), std::move(chain));
  } else {
    def_ = ReplicatorContext::Current(where).variables().Declare(std::move(options), std::move(chain));
  }
}

const VariableDef& Variable::def() const {
  if (def_ == nullptr) throw Error(ErrorCode::kInvalidArgument, "an undefined Variable was used; declare it first");
  return *def_;
}

Tensor Variable::Read(SourceLocation where) const {
  def();
  return BuildContext::Current(where).Read(def_, where);
}

}  // namespace replicator
