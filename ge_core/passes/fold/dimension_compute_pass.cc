#include "ge_core/passes/fold/dimension_compute_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

std::unique_ptr<NodePass> Make(const PassContext& c) {
  if (!c.evaluator || !c.evaluator->kernels() || (c.mark_only && !c.potential_consts)) return nullptr;
  return std::make_unique<DimensionComputePass>(c);
}

}  // namespace

REG_PASS_OPTION(DimensionComputePass)
    .Name("dimension-compute")
    .Doc("Computes Shape, Rank, Size and their like from known shapes.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.constantFolding")
    .Node(&Make);

std::string DimensionComputePass::Refusal(const Node& node, const Rewriter& rewriter) const {
  if (std::string kept = KeptByUser(node, context_.fold); !kept.empty()) return kept;
  for (int i = 0; i < node.num_inputs(); ++i)
    if (const Value* in = node.input(i); in && !in->type().IsStatic())
      return StrCat("input ", i, " ('", in->producer()->name(), "') has the unknown shape ", ToString(in->type()));
  return WhyNotConstant(node, rewriter.aliases());
}

std::string DimensionComputePass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return node.op().Has(kValueFromType) ? Refusal(node, rewriter) : std::string();
}

Result<bool> DimensionComputePass::Run(Node& node, Rewriter& rewriter) {
  if (!node.op().Has(kValueFromType) || node.unused()) return false;
  if (context_.mark_only && context_.potential_consts->Find(node)) return false;
  const HostKernel* kernel = context_.evaluator->kernels()->Find(node.op().name);
  if (!kernel || !kernel->compute_from_node || !Refusal(node, rewriter).empty()) return false;
  std::vector<Tensor> values;
  for (int o = 0; o < node.num_outputs(); ++o) values.emplace_back(node.output(o)->type());
  if (!kernel->compute_from_node(node, values).ok()) return false;  // not known yet
  if (context_.mark_only) {
    context_.potential_consts->SetAll(node, name(), std::move(values));
    return false;
  }
  if (context_.fold_report) ++context_.fold_report->kernels[{2, std::string(node.op().name)}].count;
  GE_RETURN_IF_ERROR(Fold(node, values, rewriter));
  return true;
}

}  // namespace ge
