#include "ge_core/passes/cleanup/reshape_merge_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

std::unique_ptr<NodePass> Make(const PassContext& c) { return std::make_unique<ReshapeMergePass>(c); }

std::string WhyNotRowMajor(const Value& v) {
  return IsRowMajor(v.type()) ? std::string() : StrCat("'", v.producer()->name(), "' is not stored row by row: ", ToString(v.type()));
}

}  // namespace

REG_PASS_OPTION(ReshapeMergePass)
    .Name("reshape-merge")
    .Alias("ReshapeRemovePass")
    .Alias("NoUseReshapeRemovePass")
    .Doc("Merges consecutive reshapes, squeezes and unsqueezes, and removes those that change nothing.")
    .Levels(OptLevel::kO1)
    .Node(&Make);

ReshapeMergePass::Decision ReshapeMergePass::Decide(const Node& node, const Rewriter& rewriter) const {
  const auto no = [](std::string why) { return Decision{Action::kNone, nullptr, std::move(why)}; };
  if (std::string kept = KeptByUser(node, fold_); !kept.empty()) return no(std::move(kept));
  Value *x = node.input(0), *y = node.output();
  if (!x->type().IsTensor()) return {};
  std::string why;
  if (HasUnknownExtent(y->type())) {
    why = StrCat("its shape is not known: ", ToString(y->type()));
  } else {
    why = rewriter.WhyNotForward(*y, *x);
    if (why.empty()) return {Action::kForward, x, {}};
  }
  const Node& first = *x->producer();
  if (!Relabels(first)) return no(std::move(why));
  Value* source = first.input(0);
  if (!HasUnknownExtent(y->type()) && KeptByUser(first, fold_).empty() && first.control_inputs().empty() && IsRowMajor(source->type()) &&
      rewriter.MayForward(*y, *source))
    return {Action::kForward, source, {}};
  for (const Value* v : {source, x, y})
    if (why = WhyNotRowMajor(*v); !why.empty()) return no(std::move(why));
  if (why = WhyNotReadPast(*x, *source, rewriter, fold_); !why.empty()) return no(std::move(why));
  if (rewriter.aliases().MayBeWritten(y)) return no("its result may be written");
  if (node.Is("Reshape")) return {Action::kReadPast, source, {}};
  if (!y->type().IsStatic()) return no(StrCat("its shape is not known: ", ToString(y->type())));
  return {Action::kReshape, source, {}};
}

std::string ReshapeMergePass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return Relabels(node) ? Decide(node, rewriter).why_not : std::string();
}

Result<bool> ReshapeMergePass::Run(Node& node, Rewriter& rewriter) {
  if (!Relabels(node) || node.output()->unused()) return false;
  const Decision found = Decide(node, rewriter);
  if (found.action == Action::kNone) return false;
  if (found.action == Action::kForward) {
    GE_RETURN_IF_ERROR(rewriter.Forward(node, *found.source));
    return true;
  }
  Node& first = *node.input(0)->producer();
  if (found.action == Action::kReadPast) {
    GE_RETURN_IF_ERROR(rewriter.graph().SetInput(&node, 0, found.source));
  } else {
    std::vector<int64_t> shape;
    for (const Dim& d : node.output()->type().shape()) shape.push_back(d.value());
    Node* axes = node.num_inputs() > 1 && node.input(1) ? node.input(1)->producer() : nullptr;
    AttrMap attrs;  // marks stay
    for (const auto& [name, value] : node.attrs())
      if (name.starts_with('_')) attrs.Set(name, value);
    Value* target = rewriter.Ints(shape, node);
    GE_ASSIGN_OR_RETURN(Node* const reshape,
                        rewriter.Create("Reshape", {found.source, target}, std::move(attrs), node, {node.output()->type()}));
    GE_RETURN_IF_ERROR(rewriter.Replace(node, *reshape));
    if (axes) GE_RETURN_IF_ERROR(EraseIfOrphaned(*axes, rewriter));
  }
  GE_RETURN_IF_ERROR(EraseIfOrphaned(first, rewriter));
  return true;
}

}  // namespace ge
