// The stages' constructors. Their arguments have been checked, but for what only the input's traits can tell.
#pragma once

#include "data/node.h"
#include "replicator/data/dataset.h"
#include "replicator/data/queue.h"

namespace replicator::data::internal {

// sources.cc
NodePtr TensorsNode(const Components& tensors, SourceLocation where);
NodePtr IndexNode(int64_t size, ElementSpec spec, std::function<Components(int64_t)> read, SourceLocation where);
NodePtr GeneratorNode(ElementSpec spec, std::function<GeneratorFn(std::stop_token)> factory, SourceLocation where);

// queue_source.cc
NodePtr QueueNode(Queue queue, QueueReadOptions options, SourceLocation where);

// One file each.
NodePtr MapNode(NodePtr input, IndexedMapFn fn, MapOptions options, SourceLocation where);
NodePtr ShuffleNode(NodePtr input, ShuffleOptions options, SourceLocation where);
NodePtr BatchNode(NodePtr input, int64_t size, Remainder remainder, SourceLocation where);
NodePtr CacheNode(NodePtr input, SourceLocation where);

// range_stages.cc. `count` is in elements of this pipeline; none repeats for ever.
NodePtr RepeatNode(NodePtr input, std::optional<int64_t> count, SourceLocation where);
NodePtr TakeNode(NodePtr input, int64_t count);
NodePtr SkipNode(NodePtr input, int64_t count);

// The input itself, with other traits.
NodePtr ShardNode(NodePtr input, const InputContext& ctx);
NodePtr PrefetchNode(NodePtr input, int64_t count);

}  // namespace replicator::data::internal
