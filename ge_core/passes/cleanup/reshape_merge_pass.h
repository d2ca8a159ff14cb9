#pragma once
// ReshapeMergePass: a reshape (squeeze, unsqueeze, flatten) of a reshape is one, and one to the shape that is there is nothing.
//
//   before                                       after
//     %s = Const [6] : i64[1]                      %0 = Const [3, 2] : i64[2]
//     %a = Reshape(%x, %s) : f32[6]                %1 = Reshape(%a0, %0) : f32[3,2]
//     %t = Const [3, 2] : i64[2]                   return %1
//     %b = Reshape(%a, %t) : f32[3,2]
//     return %b                      // %x: f32[2,3]
//
// Row-major values only: of others the first reshape may be a copy, which somebody else might share. Extents may be open:
// the elements and their order are the same whatever they are. Bit-exact.
#include "ge_core/passes/cleanup/cleanup_util.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API ReshapeMergePass final : public NodePass {
 public:
  explicit ReshapeMergePass(const PassContext& context) : fold_(context.fold) {}
  std::string_view name() const override { return "reshape-merge"; }
  std::span<const std::string_view> anchors() const override { return RelabellingOps(); }
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  enum class Action : uint8_t { kNone, kForward, kReadPast, kReshape };
  struct Decision {
    Action action = Action::kNone;
    Value* source = nullptr;
    std::string why_not;
  };
  Decision Decide(const Node& node, const Rewriter& rewriter) const;
  FoldOptions fold_;
};

}  // namespace ge
