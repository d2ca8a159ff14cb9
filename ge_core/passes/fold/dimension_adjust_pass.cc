#include "ge_core/passes/fold/dimension_adjust_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

std::unique_ptr<NodePass> Make(const PassContext& c) {
  if (!c.evaluator || !c.evaluator->kernels()) return nullptr;
  return std::make_unique<DimensionAdjustPass>(c);
}

}  // namespace

REG_PASS_OPTION(DimensionAdjustPass)
    .Name("dimension-adjust")
    .Doc("Turns operators that only relabel axes into direct connections or reshapes.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.constantFolding")
    .Node(&Make);

const HostKernel* DimensionAdjustPass::Adjuster(const Node& node) const {
  if (node.Is("Reshape") || node.num_outputs() != 1 || node.num_inputs() == 0) return nullptr;  // Reshape is the canonical form
  const HostKernel* kernel = context_.evaluator->kernels()->Find(node.op().name);
  return kernel && kernel->adjust ? kernel : nullptr;
}

std::string DimensionAdjustPass::Refusal(const Node& node, const Rewriter& rewriter) const {
  if (std::string kept = KeptByUser(node, context_.fold); !kept.empty()) return kept;
  const ValueType &in = node.input(0)->type(), &out = node.output()->type();
  if (!in.IsStatic()) return StrCat("its operand has the unknown shape ", ToString(in));
  if (!out.IsTensor() || !IsRowMajor(in) || !IsRowMajor(out)) return "its operand or result is not laid out row by row";
  if (rewriter.aliases().Escapes(node.output()) || rewriter.aliases().MayBeWritten(node.output()))
    return "its result is returned or may be written";
  return {};
}

std::string DimensionAdjustPass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return Adjuster(node) ? Refusal(node, rewriter) : std::string();
}

Result<bool> DimensionAdjustPass::Run(Node& node, Rewriter& rewriter) {
  const HostKernel* kernel = Adjuster(node);
  if (!kernel || node.unused() || !Refusal(node, rewriter).empty()) return false;
  const ValueType before = node.output()->type();
  if (!kernel->adjust(rewriter.graph(), node).ok()) return false;
  const ValueType type = node.output()->type();
  if (!type.IsStatic()) return !(type == before);
  if (rewriter.MayForward(*node.output(), *node.input(0))) {
    GE_RETURN_IF_ERROR(rewriter.graph().ReplaceAllUses(node.output(), node.input(0)));
    GE_RETURN_IF_ERROR(rewriter.EraseWithOrphans(node));
    return true;
  }
  std::vector<int64_t> shape;
  for (const Dim& d : type.shape()) shape.push_back(d.value());
  Value* target = rewriter.Ints(shape, node);
  GE_ASSIGN_OR_RETURN(Node* const reshape, rewriter.Create("Reshape", {node.input(0), target}, {}, node, {type}));
  GE_RETURN_IF_ERROR(rewriter.graph().ReplaceAllUses(node.output(), reshape->output()));
  GE_RETURN_IF_ERROR(rewriter.graph().MoveControlEdges(&node, reshape));
  GE_RETURN_IF_ERROR(rewriter.EraseWithOrphans(node));
  return true;
}

}  // namespace ge
