#include "ge_core/passes/fold/folding_pass.h"

#include <algorithm>

#include "ge_core/base/str.h"

namespace ge {
namespace {

bool MatchesPattern(std::string_view name, std::string_view pattern) {
  size_t n = 0, p = 0, star = std::string_view::npos, retry = 0;
  while (n < name.size()) {
    if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++n, ++p;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p++, retry = n;
    } else if (star != std::string_view::npos) {
      p = star + 1, n = ++retry;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// `node` returns an operand's memory (a view), and that operand leaves the graph through another user as well: two
// results that share memory in eager must not become two copies.
bool SharesMemoryWithAnotherResult(const Node& node, const AliasInfo& aliases) {
  bool escapes = false;
  for (int o = 0; o < node.num_outputs(); ++o) escapes |= aliases.Escapes(node.output(o));
  if (!escapes) return false;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Value* in = node.input(i);
    if (!in || !AliasInfo::MayAliasInput(node, i)) continue;
    for (const Use& use : in->uses()) {
      if (use.user == &node) continue;
      if (use.user == node.graph().net_output()) return true;
      if (!AliasInfo::MayAliasInput(*use.user, use.index)) continue;
      for (int o = 0; o < use.user->num_outputs(); ++o)
        if (aliases.Escapes(use.user->output(o))) return true;
    }
  }
  return false;
}

bool IsSwitch(const Node& n) { return n.Is("Switch") || n.Is("RefSwitch"); }

}  // namespace

std::string KeptByUser(const Node& node, const FoldOptions& options) {
  for (std::string_view mark : {kDoNotFoldMark, kDoNotRemoveMark, kNoNeedFoldMark})
    if (IsMarked(node, mark)) return StrCat("attribute ", mark, " is set");
  for (const std::string& pattern : options.keep)
    if (MatchesPattern(node.name(), pattern)) return StrCat("its name matches '", pattern, "' of ge.fold.keep");
  return {};
}

std::string WhyNotConstant(const Node& node, const AliasInfo& aliases) {
  const OpDef& op = node.op();
  if (op.Has(kRandom)) return "draws random numbers";
  if (!node.pure()) return "has effects";
  if (op.Has(kNoFold)) return StrCat(op.name, " is never folded");
  if (node.num_outputs() == 0) return "has no result";
  for (int o = 0; o < node.num_outputs(); ++o) {
    const ValueType& type = node.output(o)->type();
    if (!type.IsTensor()) return StrCat("result ", o, " is ", ToString(type), ", not a tensor");
    if (!type.IsStatic()) return StrCat("result ", o, " has the unknown shape ", ToString(type));
    if (!IsRowMajor(type)) return StrCat("result ", o, " must have the strides of ", ToString(type), ", a constant is row-major");
    if (aliases.MayBeWritten(node.output(o))) return StrCat("result ", o, " may be written by another node");
  }
  if (SharesMemoryWithAnotherResult(node, aliases)) return "shares memory with another result of the graph";
  return {};
}

Status FoldingPass::Fold(Node& node, std::span<const Tensor> values, Rewriter& rewriter) const {
  std::vector<int> outputs(values.size());
  for (size_t i = 0; i < outputs.size(); ++i) outputs[i] = static_cast<int>(i);
  return Fold(node, outputs, values, rewriter);
}

Status FoldingPass::Fold(Node& node, std::span<const int> outputs, std::span<const Tensor> values, Rewriter& rewriter) const {
  Graph& graph = rewriter.graph();
  std::vector<Node*> constants;
  for (size_t i = 0; i < outputs.size(); ++i) {
    Value* out = node.output(outputs[i]);
    if (out->unused()) continue;
    Node* constant = graph.CreateConst(values[i], &node, node.name());
    graph.SetLoc(constant, node.loc());
    graph.SetAttr(constant, kFromFoldingMark, true);
    if (const Attr* label = node.attrs().Find(kStreamLabel)) graph.SetAttr(constant, kStreamLabel, *label);
    ValueType type = constant->output()->type();
    if (type.format != out->type().format || type.placement != out->type().placement) {
      type.format = out->type().format;
      type.placement = out->type().placement;
      graph.SetType(constant->output(), type);
    }
    if (!SameLogicalType(type, out->type())) graph.SetType(out, type);  // the value tells more than inference did
    GE_RETURN_IF_ERROR(graph.ReplaceAllUses(out, constant->output()));
    constants.push_back(constant);
  }
  for (int i = 0; i < node.num_inputs(); ++i) {
    Value* in = node.input(i);
    if (!in || !IsSwitch(*in->producer()) || constants.empty()) continue;
    GE_ASSIGN_OR_RETURN(Node* const kept, rewriter.Create("Identity", {in}, {{std::string(kInsertedMark), true}}, *constants.front()));
    for (Node* c : constants) GE_RETURN_IF_ERROR(graph.AddControlEdge(kept, c));
  }
  if (!node.unused()) return {};
  // Whoever waited for the node waits for its constants; they wait for what the node waited for.
  for (Node* c : constants) {
    for (Node* n : node.control_inputs()) GE_RETURN_IF_ERROR(graph.AddControlEdge(n, c));
    for (Node* n : node.control_outputs()) GE_RETURN_IF_ERROR(graph.AddControlEdge(c, n));
  }
  if (!constants.empty()) {
    for (Node* n : std::vector<Node*>(node.control_inputs())) graph.RemoveControlEdge(n, &node);
    for (Node* n : std::vector<Node*>(node.control_outputs())) graph.RemoveControlEdge(&node, n);
  }
  return rewriter.EraseWithOrphans(node);
}

}  // namespace ge
