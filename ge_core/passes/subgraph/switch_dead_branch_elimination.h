#pragma once
// SwitchDeadBranchElimination: a Switch or RefSwitch whose predicate is known. The output that is computed becomes the
// data; everything that waits for the other one never runs and goes, up to the Merge where the branches meet, which loses
// that operand.
//
//   %p = Const true : bool[]                                     ->      %t = Relu(%x) : f32[4]
//   %f, %t0 = Switch(%x, %p) : f32[4], f32[4]                            return %t
//   %t = Relu(%t0) : f32[4]
//   %e = Neg(%f) : f32[4]
//   %y, %i = Merge(%e, %t) : f32[4], i32[]
//   return %y
#include "ge_core/passes/pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API SwitchDeadBranchElimination final : public NodePass {
 public:
  explicit SwitchDeadBranchElimination(const PassContext& context) : context_(context) {}
  std::string_view name() const override { return "switch-dead-branch-elimination"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  PassContext context_;
};

}  // namespace ge
