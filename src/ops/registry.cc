#include "ops/registry.h"

namespace replicator {

const std::vector<const OpDef*>& AllOps() {
  static const std::vector<const OpDef*> all = [] {
    std::vector<const OpDef*> ops;
    for (auto family : {UnaryOps(), BinaryOps(), ShapeOps(), ReduceOps(), DotOps(), ConvolutionOps(), PoolingOps(),
                        RandomOps(), CollectiveOps(), ControlFlowOps(), RematerialiseOps(), PushOps()}) {
      ops.insert(ops.end(), family.begin(), family.end());
    }
    return ops;
  }();
  return all;
}

const OpDef* FindOp(std::string_view name) {
  for (const OpDef* op : AllOps()) {
    if (op->name == name) return op;
  }
  return nullptr;
}

}  // namespace replicator
