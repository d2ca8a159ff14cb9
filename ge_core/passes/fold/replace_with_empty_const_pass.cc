#include "ge_core/passes/fold/replace_with_empty_const_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

std::unique_ptr<NodePass> Make(const PassContext& c) {
  if (c.mark_only && !c.potential_consts) return nullptr;
  return std::make_unique<ReplaceWithEmptyConstPass>(c);
}

}  // namespace

REG_PASS_OPTION(ReplaceWithEmptyConstPass)
    .Name("replace-with-empty-const")
    .Doc("Replaces nodes whose results have no element by empty constants.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.constantFolding")
    .Node(&Make);

bool ReplaceWithEmptyConstPass::IsEmpty(const Node& node) {
  if (node.num_outputs() == 0) return false;
  for (int o = 0; o < node.num_outputs(); ++o) {
    const ValueType& type = node.output(o)->type();
    bool empty = false;
    if (type.IsTensor())
      for (const Dim& d : type.shape()) empty |= d.Is(0);
    if (!empty) return false;
  }
  return true;
}

std::string ReplaceWithEmptyConstPass::Refusal(const Node& node, const Rewriter& rewriter) const {
  const OpDef& op = node.op();
  if (op.Has(kControlFlow)) return "is control flow";
  if (op.FindAttr("pure")) return "is a fallback node";
  if (IsMarked(node, kInsertedMark)) return StrCat("attribute ", kInsertedMark, " is set");
  if (std::string kept = KeptByUser(node, context_.fold); !kept.empty()) return kept;
  if (!op.Has(kElementwise) && !op.Has(kView)) {
    for (int i = 0; i < node.num_inputs(); ++i) {
      const Value* in = node.input(i);
      if (!in || !in->type().IsTensor() || IsFloating(in->type().dtype()) || IsComplex(in->type().dtype())) continue;
      bool empty = false;
      for (const Dim& d : in->type().shape()) empty |= d.Is(0);
      if (!empty) return StrCat("the integers of input ", i, " may make it raise");
    }
  }
  bool may_alias = false;
  for (int i = 0; i < node.num_inputs(); ++i) may_alias |= node.input(i) && AliasInfo::MayAliasInput(node, i);
  for (int o = 0; o < node.num_outputs() && may_alias; ++o)
    if (rewriter.aliases().Escapes(node.output(o))) return "is a view that the graph returns";
  return WhyNotConstant(node, rewriter.aliases());
}

std::string ReplaceWithEmptyConstPass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return IsEmpty(node) ? Refusal(node, rewriter) : std::string();
}

Result<bool> ReplaceWithEmptyConstPass::Run(Node& node, Rewriter& rewriter) {
  if (!IsEmpty(node) || node.unused()) return false;
  if (context_.mark_only && context_.potential_consts->Find(node)) return false;
  if (!Refusal(node, rewriter).empty()) return false;
  std::vector<Tensor> values;
  for (int o = 0; o < node.num_outputs(); ++o) values.emplace_back(node.output(o)->type());
  if (context_.mark_only) {
    context_.potential_consts->SetAll(node, name(), std::move(values));
    return false;
  }
  GE_RETURN_IF_ERROR(Fold(node, values, rewriter));
  return true;
}

}  // namespace ge
