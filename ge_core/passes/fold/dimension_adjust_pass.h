#pragma once
// DimensionAdjustPass: operators that only relabel axes by constant parameters (ExpandDims, Squeeze, Unsqueeze and their
// versions, FlattenV2). Their host kernel finishes the inference (HostKernel::adjust); then the parameter operand goes, and
// the node becomes a direct connection where the type is that of its operand, else the one canonical form, a Reshape to a
// constant shape, which merges with its neighbours. Seed 000 section 4.3.3.
//
// Left alone: unknown shapes, and results that the graph returns (a Reshape of an operand that is not contiguous in memory
// could be a copy where this is a view).
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API DimensionAdjustPass final : public NodePass {
 public:
  explicit DimensionAdjustPass(const PassContext& context) : context_(context) {}
  std::string_view name() const override { return "dimension-adjust"; }
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  const HostKernel* Adjuster(const Node& node) const;
  std::string Refusal(const Node& node, const Rewriter& rewriter) const;
  PassContext context_;
};

}  // namespace ge
