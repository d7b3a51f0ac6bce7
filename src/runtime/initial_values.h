// The program that computes variables' first values.
#pragma once

#include <memory>
#include <span>

#include "graph/build_context.h"
#include "graph/graph.h"

namespace replicator {

// A graph whose outputs are the initial values of `variables`, in order. Its only parameter, if it has one, is the step
// key. Random draws depend on the key and the variable's name only. Throws GraphError, with the variable's line, where
// an initializer returns another shape, and what initializers throw.
std::shared_ptr<const Graph> BuildInitialValues(std::span<const std::shared_ptr<const VariableDef>> variables);

}  // namespace replicator
