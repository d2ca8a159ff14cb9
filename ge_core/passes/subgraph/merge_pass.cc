#include "ge_core/passes/subgraph/merge_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_def.h"
#include "ge_core/passes/subgraph/inline.h"

namespace ge {
namespace {

constexpr std::string_view kAnchors[] = {"Merge"};

}  // namespace

REG_PASS_OPTION(MergePass)
    .Name("merge-remove")
    .Doc("Replaces a Merge with one operand by that operand.")
    .Levels(OptLevel::kO1)
    .Make<MergePass>();

std::span<const std::string_view> MergePass::anchors() const { return kAnchors; }

std::string MergePass::WhyNot(const Node& node, const Rewriter&) const {
  if (!node.Is("Merge")) return {};
  if (node.num_inputs() != 1) return StrCat("has ", node.num_inputs(), " operands");
  return KeptByUser(node, {});
}

Result<bool> MergePass::Run(Node& node, Rewriter& rewriter) {
  if (node.num_inputs() != 1 || !KeptByUser(node, {}).empty()) return false;
  GE_RETURN_IF_ERROR(NarrowMerge(node, {0}, rewriter));
  return true;
}

Status NarrowMerge(Node& merge, const std::vector<int>& keep, Rewriter& rewriter) {
  Graph& graph = rewriter.graph();
  if (keep.size() > 1) {
    std::vector<Value*> inputs;
    for (int i : keep) inputs.push_back(merge.input(i));
    std::vector<ValueType> types = {merge.output(0)->type(), merge.output(1)->type()};
    GE_ASSIGN_OR_RETURN(Node* const made, rewriter.Create("Merge", std::move(inputs), merge.attrs(), merge, std::move(types)));
    return rewriter.Replace(merge, *made);
  }
  const int index = keep.front();
  if (!merge.output(1)->unused()) {
    const int32_t position = index;
    Node* c = graph.CreateConst(Tensor::Of<int32_t>(DType::kI32, {}, {&position, 1}), &merge, merge.name());
    GE_RETURN_IF_ERROR(graph.ReplaceAllUses(merge.output(1), c->output()));
  }
  GE_RETURN_IF_ERROR(PassOn(*merge.output(0), *merge.input(index), merge));
  return EraseBridging(merge);
}

}  // namespace ge
