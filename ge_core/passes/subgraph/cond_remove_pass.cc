#include "ge_core/passes/subgraph/cond_remove_pass.h"

#include <unordered_map>

#include "ge_core/base/str.h"
#include "ge_core/ir/signature.h"
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_def.h"
#include "ge_core/passes/subgraph/inline.h"
#include "ge_core/passes/subgraph/predicate.h"

namespace ge {
namespace {

constexpr std::string_view kAnchors[] = {"If", "While"};
// A condition is a few comparisons; nothing larger is computed for it, and none longer is looked at.
constexpr int64_t kMaxConditionElements = 64;
constexpr int kMaxConditionNodes = 64;

std::unique_ptr<NodePass> Make(const PassContext& c) { return std::make_unique<CondRemovePass>(c); }

const Graph* Taken(const Node& node, bool predicate) { return Callee(node, predicate ? "then_branch" : "else_branch"); }

// What `value` of a condition is on constant arguments; undefined where it does not follow from them.
class ConditionEvaluator {
 public:
  ConditionEvaluator(const Node& loop, const HostCpuEngine* engine, const AliasInfo& aliases)
      : loop_(loop), engine_(engine), aliases_(aliases) {}

  Tensor Compute(const Value& value) {
    auto [it, fresh] = values_.try_emplace(&value);
    if (fresh) {
      Tensor result = ComputeFresh(value);  // may add other values: `it` is not used across it
      return values_[&value] = std::move(result);
    }
    return it->second;
  }

 private:
  Tensor ComputeFresh(const Value& value) {
    const Node& node = *value.producer();
    if (const Tensor* t = node.const_value()) return *t;
    if (node.Is("Data")) {
      const auto index = static_cast<int>(node.Int("index"));
      const Value* argument = index < loop_.num_inputs() ? loop_.input(index) : nullptr;
      const Tensor* t = argument ? argument->producer()->const_value() : nullptr;
      return t && !MayBeWrittenByOthers(*argument, loop_, aliases_) ? *t : Tensor();
    }
    const ValueType& type = value.type();
    if (!engine_ || ++nodes_ > kMaxConditionNodes || !node.pure() || node.op().Has(kNoFold) || node.op().Has(kSkeleton) ||
        !type.IsTensor() || !type.IsStatic() || type.StaticNumElements() > kMaxConditionElements)
      return {};
    for (std::string_view mark : {kDoNotFoldMark, kDoNotRemoveMark, kNoNeedFoldMark})
      if (IsMarked(node, mark)) return {};
    std::vector<Tensor> inputs;
    for (const Value* in : node.inputs()) {
      inputs.push_back(in ? Compute(*in) : Tensor());
      if (in && !inputs.back().defined()) return {};
    }
    std::vector<const Tensor*> pointers;
    for (size_t i = 0; i < inputs.size(); ++i) pointers.push_back(node.input(static_cast<int>(i)) ? &inputs[i] : nullptr);
    auto result = engine_->Run(node, pointers);
    return result.ok() ? result->outputs[static_cast<size_t>(value.index())] : Tensor();
  }

  const Node& loop_;
  const HostCpuEngine* engine_;
  const AliasInfo& aliases_;
  std::unordered_map<const Value*, Tensor> values_;  // looked up only
  int nodes_ = 0;
};

}  // namespace

REG_PASS_OPTION(CondRemovePass)
    .Name("cond-remove")
    .Doc("Replaces an If with a constant predicate by its branch, and a While that makes no turn by its operands.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.deadCodeElimination")
    .Node(&Make);

std::span<const std::string_view> CondRemovePass::anchors() const { return kAnchors; }

std::optional<bool> CondRemovePass::FirstCondition(const Node& loop, const Graph& cond, const Rewriter& rewriter) const {
  if (!cond.net_output() || cond.net_output()->num_inputs() != 1 || !cond.net_output()->input(0)) return std::nullopt;
  // The condition goes with the loop: what it does besides must not be missed.
  for (const Node* n : cond.nodes())
    if (!n->pure() && !n->op().Has(kSkeleton)) return std::nullopt;
  const Tensor t = ConditionEvaluator(loop, context_.evaluator, rewriter.aliases()).Compute(*cond.net_output()->input(0));
  if (!t.defined() || t.dtype() != DType::kBool || t.num_elements() != 1) return std::nullopt;
  return *t.data<uint8_t>() != 0;
}

std::string CondRemovePass::RefuseIf(const Node& node, const Rewriter& rewriter) const {
  const std::optional<bool> predicate = ConstPredicate(node.input(0), node, rewriter.aliases());
  if (!predicate) return StrCat("its predicate ('", node.input(0)->producer()->name(), "') is not a constant");
  if (std::string kept = KeptByUser(node, context_.fold); !kept.empty()) return kept;
  const Graph* taken = Taken(node, *predicate);
  return taken ? WhyNotInline(node, *taken, 1) : "the branch it takes does not exist";
}

std::string CondRemovePass::RefuseWhile(const Node& node, const Rewriter& rewriter) const {
  const Graph* cond = Callee(node, "cond");
  const std::optional<bool> first = cond ? FirstCondition(node, *cond, rewriter) : std::nullopt;
  if (!first) return "its condition before the first turn is not known";
  if (*first) return "it makes at least one turn";
  if (std::string kept = KeptByUser(node, context_.fold); !kept.empty()) return kept;
  for (int o = 0; o < node.num_outputs(); ++o) {
    const Value* in = o < node.num_inputs() ? node.input(o) : nullptr;
    if (!in || in->type().IsOpaque() || !CompatibleType(in->type(), node.output(o)->type()) ||
        in->type().dtype() != node.output(o)->type().dtype())
      return StrCat("operand ", o, " is not what result ", o, " would be");
  }
  if (node.control_inputs().size() * static_cast<size_t>(node.num_outputs()) > 256) return "it orders many nodes against many others";
  return {};
}

std::string CondRemovePass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return node.Is("If") ? RefuseIf(node, rewriter) : node.Is("While") ? RefuseWhile(node, rewriter) : std::string();
}

Result<bool> CondRemovePass::Run(Node& node, Rewriter& rewriter) {
  if (node.Is("If")) {
    if (!node.input(0)->producer()->const_value() || !RefuseIf(node, rewriter).empty()) return false;
    GE_RETURN_IF_ERROR(Inline(node, *Taken(node, *ConstPredicate(node.input(0), node, rewriter.aliases())), 1));
    return true;
  }
  if (!RefuseWhile(node, rewriter).empty()) return false;
  // A loop's results have memory of their own, even where it makes no turn.
  Graph& graph = rewriter.graph();
  std::vector<Node*> copies;
  for (int o = 0; o < node.num_outputs(); ++o) {
    Value *in = node.input(o), *out = node.output(o);
    if (out->unused()) continue;
    if (out->type().IsSym()) {
      if (!SameLogicalType(in->type(), out->type())) graph.SetType(out, in->type());
      GE_RETURN_IF_ERROR(graph.ReplaceAllUses(out, in));
      continue;
    }
    GE_ASSIGN_OR_RETURN(Node* const copy, rewriter.Create("TensorMove", {in}, {}, node, {out->type()}));
    GE_RETURN_IF_ERROR(graph.ReplaceAllUses(out, copy->output()));
    copies.push_back(copy);
  }
  const std::vector<Node*> before = node.control_inputs(), after = node.control_outputs();
  for (Node* c : copies) {
    for (Node* b : before) GE_RETURN_IF_ERROR(graph.AddControlEdge(b, c));
    for (Node* a : after) GE_RETURN_IF_ERROR(graph.AddControlEdge(c, a));
  }
  GE_RETURN_IF_ERROR(EraseBridging(node));
  return true;
}

}  // namespace ge
