#pragma once
// DimensionComputePass: results that follow from the types of the operands alone (Shape, Rank, Size, ...), by the built-in
// host kernels. The operand itself need not be a constant. Mark-only mode (the Prepare stage) leaves the graph alone and
// records the value as a potential constant. Seed 000 section 4.3.2.
//
//   %s = Shape(%x) : i32[2]   with %x: f32[2,3]      ->      %0 = Const [2, 3] : i32[2]
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API DimensionComputePass final : public FoldingPass {
 public:
  explicit DimensionComputePass(const PassContext& context) : context_(context) {}
  std::string_view name() const override { return "dimension-compute"; }
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  std::string Refusal(const Node& node, const Rewriter& rewriter) const;
  PassContext context_;
};

}  // namespace ge
