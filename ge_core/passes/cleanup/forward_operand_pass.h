#pragma once
// ForwardOperandPass: base of the rules that remove a node whose result is one of its operands. A rule is a table from
// operators to small functions that say which operand; this class asks whether anybody could tell the two values apart.
#include <span>

#include "ge_core/passes/cleanup/cleanup_util.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

// The operand that result 0 equals element by element, provided that their types are equal; or why that is not known.
struct Forwarded {
  Value* value = nullptr;
  std::string why_not;
};
struct ForwardRow {
  std::string_view op;
  Forwarded (*find)(const Node& node);
};

class GE_API ForwardOperandPass : public NodePass {
 public:
  std::span<const std::string_view> anchors() const override { return anchors_; }
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 protected:
  ForwardOperandPass(std::span<const ForwardRow> rows, const PassContext& context);

 private:
  Forwarded Decide(const Node& node, const Rewriter& rewriter) const;
  std::span<const ForwardRow> rows_;
  std::vector<std::string_view> anchors_;
  FoldOptions fold_;
};

}  // namespace ge
