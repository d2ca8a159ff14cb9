#include "ge_core/compile/placement.h"

#include "ge_core/base/str.h"
#include "ge_core/ir/reference.h"

namespace ge {
namespace {

bool BelongsToRuntime(const Node& n) { return n.op().Has(kSkeleton) || n.op().Has(kControlFlow); }

std::string Describe(const Node& n) {
  return StrCat(n.op().name, " '", n.name(), "'", n.loc().empty() ? "" : StrCat(" (", n.loc(), ")"));
}

class BuilderContext final : public TaskContext {
 public:
  explicit BuilderContext(const PassStates* passes) : passes_(passes) {}
  PassState StateOf(std::string_view pass, const Node& node) const override { return passes_ ? passes_->StateOf(pass, node) : PassState{}; }
  std::string OptionValue(std::string_view key) const override { return passes_ ? passes_->OptionValue(key) : std::string(); }
  void HandOn(std::string why) override { handed_on = why.empty() ? "left to the engines after it" : std::move(why); }
  std::string handed_on;

 private:
  const PassStates* passes_;
};

bool IsRowMajorTensor(const ValueType& type) {
  if (!type.IsTensor() || !type.IsStatic() || type.layout.kind == StorageLayout::Kind::kPacked) return false;
  return type.Strides() == type.ContiguousStrides();
}

// The input whose memory the only result of a node is, by what its builder or its operator says; -1: none.
int AliasedInput(const Node& node, const OpRunningParam& param) {
  if (node.num_outputs() != 1 || node.num_inputs() == 0) return -1;
  const int reused = param.outputs.empty() ? -1 : param.outputs[0].reuse_input;
  if (reused >= 0) return reused;
  return node.op().Has(kView) && !WritesOperand0(node) ? 0 : -1;
}

}  // namespace

Result<Support> Placer::AskBuilder(const Engine& engine, Node& node, const WhyNotShared& why_not_shared, Placement& placement) const {
  const auto where = [&] { return StrCat("while engine ", engine.name(), " prepared ", Describe(node)); };
  Result<OpRunningParam> param = engine.builder()->CalcOpRunningParam(graph_, node);
  if (!param.ok()) return std::move(param).status().Annotate(where());
  if (!param->skipped && param->outputs.size() != static_cast<size_t>(node.num_outputs()))
    return Internal(StrCat("the kernel builder of engine ", engine.name(), " described ", param->outputs.size(), " results of ",
                           Describe(node), ", which has ", node.num_outputs()));
  BuilderContext context(passes_);
  GE_RETURN_IF_ERROR(engine.builder()->GenerateTask(graph_, node, context).Annotate(where()));
  if (!context.handed_on.empty()) return Support::No(std::move(context.handed_on));
  if (!engine.has_kernels() && !BelongsToRuntime(node)) {
    if (param->skipped) return Support::No("a shape is open: the view is made at run time");
    const int input = AliasedInput(node, *param);
    if (input < 0) return Support::No("it has no kernels, and the result is not the memory of an operand");
    if (input >= node.num_inputs() || !node.input(input))
      return Internal(StrCat("the kernel builder of engine ", engine.name(), " names input ", input, " of ", Describe(node),
                             ", which is absent"));
    const ValueType &from = node.input(input)->type(), &to = node.output()->type();
    if (!IsRowMajorTensor(from) || !IsRowMajorTensor(to))
      return Support::No(StrCat(ToString(from), " as ", ToString(to), ": not row-major on both sides"));
    if (from.StaticBytes() != to.StaticBytes())
      return Support::No(StrCat(ToString(from), " as ", ToString(to), ": they differ in size"));
    if (std::string why = why_not_shared(node, *node.input(input)); !why.empty()) return Support::No(std::move(why));
    placement.alias_input = input;
  }
  for (const OpRunningParam::Output& o : param->outputs) placement.bytes.push_back(o.bytes);
  return Support::Yes();
}

Result<Placement> Placer::Place(Node& node, const WhyNotShared& why_not_shared) const {
  Placement placement;
  for (const Engine* e : engines_) {
    if (BelongsToRuntime(node) && e->has_kernels()) continue;
    Support support = AskEngine(*e, node);
    if (support.ok && e->builder()) {
      GE_ASSIGN_OR_RETURN(support, AskBuilder(*e, node, why_not_shared, placement));
      if (!support.ok) graph_.RemoveAttr(&node, "_no_task");  // it may have one after all
    } else if (support.ok && !e->has_kernels() && !BelongsToRuntime(node)) {
      support = Support::No("it has no kernels, and its kernel builder is not loaded");
    }
    if (support.ok) {
      placement.engine = e;
      return placement;
    }
    placement.refusals += StrCat(placement.refusals.empty() ? "" : "; ", e->name(), ": ", support.reason);
  }
  if (BelongsToRuntime(node)) return placement;
  return Unimplemented(StrCat("no engine runs ", Describe(node), ": ", placement.refusals));
}

}  // namespace ge
