#include "ge_core/passes/fold/delete_no_const_fold_pass.h"

#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_def.h"

namespace ge {

REG_PASS_OPTION(DeleteNoConstFoldPass)
    .Name("delete-no-const-fold")
    .Alias("DeleteNoConstFoldingFusionPass")
    .Doc("Lets folding have quantised weights again, which quantisation had kept from it.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.constantFolding")
    .Make<DeleteNoConstFoldPass>();

std::span<const std::string_view> DeleteNoConstFoldPass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"AscendWeightQuant"};
  return kAnchors;
}

Result<bool> DeleteNoConstFoldPass::Run(Node& node, Rewriter& rewriter) {
  if (!node.attrs().Find(kNoNeedFoldMark)) return false;
  rewriter.graph().RemoveAttr(&node, kNoNeedFoldMark);
  return true;
}

}  // namespace ge
