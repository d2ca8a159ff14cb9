#include "ge_core/passes/fold/constant_folding_pass.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/passes/alias_info.h"

namespace ge {
namespace {

// Marks by which a user or a framework keeps a node out of folding.
constexpr std::string_view kKeepMarks[] = {"_do_not_constant_folding", "no_need_constant_folding"};
constexpr std::string_view kFoldedMark = "_is_from_constant_folding";

bool IsMarked(const Node& node, std::string_view mark) {
  const Attr* a = node.attrs().Find(mark);
  return a && !a->IsNone() && a->AsDouble().value_or(1.0) != 0.0;
}

// A constant is stored row-major. Where a consumer sees other strides, the node has to stay.
bool StoredRowMajor(const ValueType& type) {
  switch (type.layout.kind) {
    case StorageLayout::Kind::kContiguous:
    case StorageLayout::Kind::kFree: return true;
    case StorageLayout::Kind::kStrided: return type.layout.strides == type.ContiguousStrides();
    case StorageLayout::Kind::kPacked: return false;
  }
  return false;
}

// `node` returns a constant's memory (a view), and that constant leaves the graph through another user as well: two
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

// The first rule that forbids folding `node`; empty if none does. Skeleton nodes are not asked.
std::string Refusal(const Node& node, const AliasInfo& aliases, const FoldOptions& options) {
  const OpDef& op = node.op();
  if (op.Has(kRandom)) return "draws random numbers";
  if (!node.pure()) return "has effects";
  if (op.Has(kNoFold)) return StrCat(op.name, " is never folded");
  for (std::string_view mark : kKeepMarks)
    if (IsMarked(node, mark)) return StrCat("attribute ", mark, " is set");
  if (node.num_outputs() == 0) return "has no result";

  int64_t operand_bytes = 0;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Value* in = node.input(i);
    if (!in) continue;
    const Node& producer = *in->producer();
    if (!producer.op().Has(kSkeleton) || producer.Is("Data")) return StrCat("input ", i, " ('", producer.name(), "') is not a constant");
    const Tensor* value = producer.const_value();
    if (!value || !value->defined()) return StrCat("input ", i, " ('", producer.name(), "') is a constant without data in this file");
    if (aliases.MayBeWritten(in)) return StrCat("input ", i, " ('", producer.name(), "') may be written by another node");
    operand_bytes += static_cast<int64_t>(value->bytes().size());
  }

  int64_t result_bytes = 0;
  for (int o = 0; o < node.num_outputs(); ++o) {
    const ValueType& type = node.output(o)->type();
    if (!type.IsTensor()) return StrCat("result ", o, " is ", ToString(type), ", not a tensor");
    if (!type.IsStatic()) return StrCat("result ", o, " has the unknown shape ", ToString(type));
    if (!StoredRowMajor(type)) return StrCat("result ", o, " must have the strides of ", ToString(type), ", a constant is row-major");
    if (aliases.MayBeWritten(node.output(o))) return StrCat("result ", o, " may be written by another node");
    result_bytes += type.StaticBytes();
  }
  const bool generated = node.num_inputs() == 0;
  const int64_t limit = generated ? options.max_generated_bytes : std::max(options.max_growth_bytes, operand_bytes);
  if (result_bytes > limit) return StrCat("the result of ", result_bytes, " bytes is over the limit of ", limit);
  if (SharesMemoryWithAnotherResult(node, aliases)) return "shares memory with another result of the graph";
  return {};
}

// Puts `outputs` in the place of `node`'s results and removes the node, and those of its operands that nobody reads.
Status Replace(Graph& graph, AliasInfo& aliases, Node* node, std::vector<Tensor> outputs, std::string& names) {
  std::vector<Node*> operands;
  for (const Value* in : node->inputs())
    if (in) operands.push_back(in->producer());

  Node* last = nullptr;
  for (int o = 0; o < node->num_outputs(); ++o) {
    if (node->output(o)->unused()) continue;
    Tensor& value = outputs[static_cast<size_t>(o)];
    Node* constant = graph.CreateConst(std::move(value), node, node->name());
    graph.SetLoc(constant, node->loc());
    graph.SetAttr(constant, kFoldedMark, true);
    if (constant->output()->type().format != node->output(o)->type().format) {
      ValueType type = constant->output()->type();
      type.format = node->output(o)->type().format;
      graph.SetType(constant->output(), std::move(type));
    }
    GE_RETURN_IF_ERROR(graph.ReplaceAllUses(node->output(o), constant->output()));
    aliases.Replace(node->output(o), constant->output());
    names += StrCat(names.empty() ? "'" : ", '", constant->name(), "'");
    last = constant;
  }
  // Whoever waited for the node now waits for what the node waited for.
  GE_RETURN_IF_ERROR(graph.MoveControlEdges(node, last));
  GE_RETURN_IF_ERROR(graph.Erase(node));
  for (size_t i = 0; i < operands.size(); ++i) {
    Node* n = operands[i];
    bool seen = false;
    for (size_t k = 0; k < i; ++k) seen |= operands[k] == n;
    if (!seen && n->unused() && n->control_outputs().empty() && n->control_inputs().empty()) GE_RETURN_IF_ERROR(graph.Erase(n));
  }
  return {};
}

}  // namespace

Result<bool> ConstantFoldingPass::Run(Graph& graph) {
  GE_CHECK(engine_ != nullptr, "constant folding needs a HostCpuEngine");
  FoldReport::ByNode& kept = report_->kept[graph.name()];
  FoldReport::ByNode& folded = report_->folded[graph.name()];
  kept.clear();  // of an earlier run: those nodes are looked at again, or gone

  AliasInfo aliases(graph);  // kept up to date by Replace: a constant inherits what held for the value it replaces
  bool changed = false;
  // List order is topological: a node is reached after everything that might have made its operands constant, so one
  // sweep is the whole worklist.
  for (Node* node : graph.NodeList()) {
    if (node->op().Has(kSkeleton)) continue;
    std::string why = Refusal(*node, aliases, options_);
    if (why.empty() && node->unused()) why = "is not used";  // dead code elimination takes it
    if (!why.empty()) {
      kept.emplace(node->name(), std::move(why));
      continue;
    }
    std::vector<const Tensor*> inputs;
    for (const Value* in : node->inputs()) inputs.push_back(in ? in->producer()->const_value() : nullptr);
    Result<HostCpuEngine::Evaluation> value = engine_->Run(*node, inputs);
    if (!value.ok()) {
      kept.emplace(node->name(), StrCat("cannot be computed now: ", value.message()));
      continue;
    }
    std::string names;
    const std::string name = node->name();
    GE_RETURN_IF_ERROR(Replace(graph, aliases, node, std::move(value->outputs), names)
                           .Annotate(StrCat("while folding node '", name, "' of graph '", graph.name(), "'")));
    folded[name] = StrCat("level ", static_cast<int>(value->level), " -> ", names);
    changed = true;
  }
  return changed;
}

}  // namespace ge
