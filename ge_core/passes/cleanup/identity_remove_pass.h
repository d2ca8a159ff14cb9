#pragma once
// IdentityRemovePass: operators that hand a tensor on, for reasons of their own that do not matter here (names,
// gradients, copies, dropout in inference), go:
//
//   before                                     after
//     %a = Identity(%x) : f32[4]                 %0 = Exp(%a0) : f32[4]
//     %b = TensorMove(%a) : f32[4]               return %0
//     %y = Exp(%b) : f32[4]
//     return %y
//
// A copy goes only where nobody can tell: it stays where the graph returns it and its operand is an input, where either is
// written, and where it changes the memory format. Bit-exact.
#include "ge_core/passes/cleanup/forward_operand_pass.h"

namespace ge {

class GE_API IdentityRemovePass final : public ForwardOperandPass {
 public:
  explicit IdentityRemovePass(const PassContext& context);
  std::string_view name() const override { return "identity-remove"; }
};

}  // namespace ge
