// What building a graph reports.
#pragma once

#include "replicator/base/error.h"
#include "replicator/base/shape.h"

namespace replicator {

// An operation was given operands or attributes that break its rule. The message names the operation, the operands'
// shapes and the rule; where() holds the user's line first, then the line inside the library or module. The graph is
// unchanged. Code kInvalidArgument.
class GraphError : public Error {
 public:
  GraphError(std::string op, std::vector<Shape> operand_shapes, std::string rule, std::vector<SourceLocation> where);

  const std::string& op() const { return op_; }
  const std::vector<Shape>& operand_shapes() const { return operand_shapes_; }
  const std::string& rule() const { return rule_; }

 private:
  std::string op_;
  std::vector<Shape> operand_shapes_;
  std::string rule_;
};

}  // namespace replicator
