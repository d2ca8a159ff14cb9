#include "ge_core/passes/cleanup/forward_operand_pass.h"

#include <algorithm>

namespace ge {

ForwardOperandPass::ForwardOperandPass(std::span<const ForwardRow> rows, const PassContext& context) : rows_(rows), fold_(context.fold) {
  for (const ForwardRow& row : rows) anchors_.push_back(row.op);
}

Forwarded ForwardOperandPass::Decide(const Node& node, const Rewriter& rewriter) const {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const ForwardRow& r) { return node.Is(r.op); });
  if (row == rows_.end()) return {};
  Forwarded found = row->find(node);
  if (!found.value) return found;
  for (int o = 1; o < node.num_outputs(); ++o)
    if (!node.output(o)->unused()) return {nullptr, "another of its results is read"};
  if (std::string kept = KeptByUser(node, fold_); !kept.empty()) return {nullptr, std::move(kept)};
  if (std::string why = rewriter.WhyNotForward(*node.output(), *found.value); !why.empty()) return {nullptr, std::move(why)};
  return found;
}

std::string ForwardOperandPass::WhyNot(const Node& node, const Rewriter& rewriter) const { return Decide(node, rewriter).why_not; }

Result<bool> ForwardOperandPass::Run(Node& node, Rewriter& rewriter) {
  // A node that is waited for only stays: it may stand for a branch. One that nobody needs is dead code elimination's.
  if (node.output()->unused()) return false;
  const Forwarded found = Decide(node, rewriter);
  if (!found.value) return false;
  GE_RETURN_IF_ERROR(rewriter.Forward(node, *found.value));
  return true;
}

}  // namespace ge
