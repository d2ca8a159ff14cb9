#pragma once
// CondRemovePass: control flow whose predicate is known. An If with a constant predicate becomes the nodes of the branch it
// takes; a While that makes no turn becomes copies of what it carries.
//
//   %p = Const true : bool[]                                        ->      %y = Relu(%x) : f32[4]
//   %y = If(%p, %x) {then_branch=@relu, else_branch=@neg} : f32[4]
//
// The subgraphs stay: others may run them, and remove-unused-subgraphs takes them otherwise. The condition of a While is
// computed where it follows from constants; a loop that makes one turn stays a loop.
#include <optional>

#include "ge_core/passes/pass.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

class GE_API CondRemovePass final : public NodePass {
 public:
  explicit CondRemovePass(const PassContext& context) : context_(context) {}
  std::string_view name() const override { return "cond-remove"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  std::string RefuseIf(const Node& node, const Rewriter& rewriter) const;
  std::string RefuseWhile(const Node& node, const Rewriter& rewriter) const;
  // What the condition of `loop` is before the first turn; nullopt where that is not known.
  std::optional<bool> FirstCondition(const Node& loop, const Graph& cond, const Rewriter& rewriter) const;
  PassContext context_;
};

}  // namespace ge
