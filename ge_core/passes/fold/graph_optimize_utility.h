#pragma once
// GraphOptimizeUtility: optimisations of single nodes, for passes that need an answer now and cannot wait for the work list.
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/rewriter.h"

namespace ge {

class GE_API GraphOptimizeUtility {
 public:
  // Folds one node: constant-folding, then dimension-compute, then replace-with-empty-const, by their own rules; the first
  // that applies ends it. `node` is gone afterwards where this gives true. Seed 000 section 3.3.
  static Result<bool> ConstantFolding(Node& node, const PassContext& context, Rewriter& rewriter);
  // The same outside of a pass. Sweeps over the graph once for aliases.
  static Result<bool> ConstantFolding(Node& node, const PassContext& context);
};

}  // namespace ge
