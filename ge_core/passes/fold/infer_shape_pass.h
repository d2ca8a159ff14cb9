#pragma once
// InferShapePass: infers the types of a node again where they are open, now that more is known of its operands: an operand
// became a constant, or a potential one, or got a better type itself. Types only ever get more precise.
//
//   %y = Reshape(%x, %shape) : f32[?,?]   with %shape known by now to be [2, 3]      ->      ... : f32[2,3]
#include "ge_core/passes/pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API InferShapePass final : public NodePass {
 public:
  explicit InferShapePass(const PassContext& context) : context_(context) {}
  std::string_view name() const override { return "infer-shape"; }
  Result<bool> Run(Node& node, Rewriter& rewriter) override;

 private:
  PassContext context_;
};

}  // namespace ge
