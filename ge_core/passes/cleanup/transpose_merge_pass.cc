#include "ge_core/passes/cleanup/transpose_merge_pass.h"

#include <algorithm>

#include "ge_core/passes/cleanup/cleanup_util.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

std::unique_ptr<NodePass> Make(const PassContext& c) { return std::make_unique<TransposeMergePass>(c); }

}  // namespace

REG_PASS_OPTION(TransposeMergePass)
    .Name("transpose-merge")
    .Alias("PermutePass")
    .Alias("UnchangedTransposeRemovePass")
    .Doc("Merges consecutive axis permutations and removes those that move nothing.")
    .Levels(OptLevel::kO1)
    .Node(&Make);

TransposeMergePass::Decision TransposeMergePass::Decide(const Node& node, const Rewriter& rewriter) const {
  auto perm = PermutationOf(node);
  if (!perm) return {nullptr, {}, false, "its permutation is not known"};
  if (std::string kept = KeptByUser(node, fold_); !kept.empty()) return {nullptr, {}, false, std::move(kept)};
  Value* x = node.input(0);
  std::string why_not;
  bool merged = false;
  if (const auto first = PermutationOf(*x->producer())) {
    Value* source = x->producer()->input(0);
    why_not = WhyNotReadPast(*x, *source, rewriter, fold_);
    if (why_not.empty()) {
      for (int64_t& p : *perm) p = (*first)[static_cast<size_t>(p)];
      x = source;
      merged = true;
    }
  }
  if (std::is_sorted(perm->begin(), perm->end())) {
    const std::string why = rewriter.WhyNotForward(*node.output(), *x);
    if (why.empty()) return {x, std::move(*perm), true, {}};
    if (why_not.empty()) why_not = why;
  }
  const bool canonical = node.Is("Transpose") && node.num_inputs() > 1 && node.input(1);
  if (merged || !canonical) return {x, std::move(*perm), false, {}};
  return {nullptr, {}, false, std::move(why_not)};
}

std::string TransposeMergePass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return PermutesAxes(node) ? Decide(node, rewriter).why_not : std::string();
}

Result<bool> TransposeMergePass::Run(Node& node, Rewriter& rewriter) {
  if (node.output()->unused()) return false;
  Decision found = Decide(node, rewriter);
  if (!found.source) return false;
  if (found.forward) {
    GE_RETURN_IF_ERROR(rewriter.Forward(node, *found.source));
    return true;
  }
  Node& operand = *node.input(0)->producer();
  AttrMap attrs;  // marks stay
  for (const auto& [name, value] : node.attrs())
    if (name.starts_with('_')) attrs.Set(name, value);
  Value* perm = rewriter.Ints(found.perm, node);
  GE_ASSIGN_OR_RETURN(Node* const merged,
                      rewriter.Create("Transpose", {found.source, perm}, std::move(attrs), node, {node.output()->type()}));
  Value* old_perm = node.num_inputs() > 1 ? node.input(1) : nullptr;
  GE_RETURN_IF_ERROR(rewriter.Replace(node, *merged));
  if (old_perm) GE_RETURN_IF_ERROR(EraseIfOrphaned(*old_perm->producer(), rewriter));
  if (&operand != found.source->producer()) GE_RETURN_IF_ERROR(EraseIfOrphaned(operand, rewriter));
  return true;
}

}  // namespace ge
