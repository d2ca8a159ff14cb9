#pragma once
// BroadcastRemovePass: element-wise operators broadcast by themselves; a BroadcastTo that only they read goes.
//
//   before                                         after
//     %s = Const [2, 3] : i64[2]                     %0 = Add(%a0, %a1) : f32[2,3]
//     %b = BroadcastTo(%x, %s) : f32[2,3]            return %0
//     %y = Add(%b, %z) : f32[2,3]
//     return %y                   // %x: f32[3], %z: f32[2,3]
//
// Each reader must keep its type: another operand supplies every extent that x does not have. Whether an operator does
// broadcast an operand is asked of its inference, with that operand enlarged by one axis. A scalar x stays: PyTorch promotes
// the dtypes of scalars by other rules. Bit-exact: element by element the same numbers meet.
#include "ge_core/passes/cleanup/cleanup_util.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API BroadcastRemovePass final : public NodePass {
 public:
  explicit BroadcastRemovePass(const PassContext& context) : fold_(context.fold) {}
  std::string_view name() const override { return "broadcast-remove"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  std::string Refusal(const Node& node, const Rewriter& rewriter) const;
  FoldOptions fold_;
};

}  // namespace ge
