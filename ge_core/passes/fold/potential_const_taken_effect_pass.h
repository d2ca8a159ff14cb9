#pragma once
// PotentialConstTakenEffectPass: turns the marks of the mark-only passes into constants, once the work list of its group is
// empty. A mark whose value got lost is cleared and noted. Seed 000 section 4.3.5.
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API PotentialConstTakenEffectPass final : public FoldingPass {
 public:
  explicit PotentialConstTakenEffectPass(const PassContext& context) : context_(context) {}
  std::string_view name() const override { return "potential-const-taken-effect"; }
  Result<bool> Run(Node&, Rewriter&) override { return false; }
  Result<bool> Finish(Graph& graph, Rewriter& rewriter) override;

 private:
  PassContext context_;
};

}  // namespace ge
