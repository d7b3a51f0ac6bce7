// The program that computes variables' first values.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "graph/build_context.h"
#include "graph/graph.h"
#include "pjrt/buffer.h"
#include "runtime/compile_target.h"
#include "runtime/executable_cache.h"

namespace replicator {

// A graph whose outputs are the initial values of `variables`, in order. Its only parameter, if it has one, is the step
// key. Random draws depend on the key and the variable's name only. Throws GraphError, with the variable's line, where
// an initializer returns another shape, and what initializers throw.
std::shared_ptr<const Graph> BuildInitialValues(std::span<const std::shared_ptr<const VariableDef>> variables);

// The values themselves, computed on one device, for a job of this seed.
std::vector<pjrt::Buffer> ComputeInitialValues(std::span<const std::shared_ptr<const VariableDef>> variables,
                                               uint64_t seed, const pjrt::Device& device, pjrt::Client& client,
                                               ExecutableCache& cache, const CompileTarget& target);

}  // namespace replicator
