#pragma once
// NoOpRemovePass: slices over everything, paddings by nothing, tilings by one, joins of one tensor, and their kin go: their
// result is their operand, type and elements.
//
//   before                                                        after
//     %p = Const 0 : i64[4]                                         return %a0
//     %y = PadV3(%x, %p) : f32[2,3]   // %x is computed
//     return %y
//
// Proved from types and constant operands, so that an extent that is not known keeps the node; symbolic extents are
// known where they are equal as expressions. Bit-exact.
#include "ge_core/passes/cleanup/forward_operand_pass.h"

namespace ge {

class GE_API NoOpRemovePass final : public ForwardOperandPass {
 public:
  explicit NoOpRemovePass(const PassContext& context);
  std::string_view name() const override { return "no-op-remove"; }
};

}  // namespace ge
