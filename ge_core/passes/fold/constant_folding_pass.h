#pragma once
// ConstantFoldingPass: computes pure nodes whose operands are all constants, and puts the result in their place.
//
//   before                                after
//     %a = Const [1, 2] : f32[2]            %0 = Const [3, 4] : f32[2]     (_is_from_constant_folding = true)
//     %b = Const 2 : f32[]
//     %c = Add(%a, %b) : f32[2]
//
// The value comes from HostCpuEngine: ATen itself where it is present (level 1), so that it is bitwise what eager gives,
// else the built-in host kernel (level 2). A node that raises on its constants (an integer division by zero) stays and
// raises at run time, as in eager. Where an operand is a potential constant only, the result is marked, not folded.
// Seed 000 section 4.3.1.
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API ConstantFoldingPass final : public FoldingPass {
 public:
  // Of the context it needs the evaluator; reports and marks where it has the tables.
  explicit ConstantFoldingPass(const PassContext& context) : context_(context) {}

  std::string_view name() const override { return "constant-folding"; }
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  // The first rule that forbids folding; `potential`: whether some operand is known by a mark only.
  std::string Refusal(const Node& node, const Rewriter& rewriter, bool* potential) const;
  PassContext context_;
};

}  // namespace ge
