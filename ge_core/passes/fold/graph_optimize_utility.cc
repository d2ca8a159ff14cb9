#include "ge_core/passes/fold/graph_optimize_utility.h"

#include "ge_core/passes/fold/constant_folding_pass.h"
#include "ge_core/passes/fold/dimension_compute_pass.h"
#include "ge_core/passes/fold/replace_with_empty_const_pass.h"

namespace ge {

Result<bool> GraphOptimizeUtility::ConstantFolding(Node& node, const PassContext& context, Rewriter& rewriter) {
  PassContext now = context;
  now.mark_only = false;
  now.potential_consts = nullptr;  // a mark is no constant yet
  if (now.evaluator) {
    GE_ASSIGN_OR_RETURN(bool folded, ConstantFoldingPass(now).Run(node, rewriter));
    if (folded) return true;
    if (now.evaluator->kernels()) {
      GE_ASSIGN_OR_RETURN(folded, DimensionComputePass(now).Run(node, rewriter));
      if (folded) return true;
    }
  }
  return ReplaceWithEmptyConstPass(now).Run(node, rewriter);
}

Result<bool> GraphOptimizeUtility::ConstantFolding(Node& node, const PassContext& context) {
  Rewriter rewriter(node.graph());
  return ConstantFolding(node, context, rewriter);
}

}  // namespace ge
