#include "ge_core/passes/buffers/reinplace_pass.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/ir/reference.h"
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"
#include "ge_core/passes/rewriter.h"

namespace ge {
namespace {

// More views than this of one buffer are not followed.
constexpr size_t kMaxViews = 256;

// Calls `visit(user, index, through_a_view)` for every use of `value` and of what may share its memory downstream, until it
// returns a reason.
template <class Visit>
std::string VisitUses(const Value& value, const Node& except, Visit&& visit) {
  std::vector<const Value*> views = {&value};
  for (size_t k = 0; k < views.size(); ++k) {
    if (k == kMaxViews) return "it has too many views to follow";
    for (const Use& use : views[k]->uses()) {
      if (use.user == &except) continue;
      if (std::string why = visit(*use.user, use.index, k > 0); !why.empty()) return why;
      if (!use.user->op().Has(kSkeleton) && AliasInfo::MayAliasInput(*use.user, use.index))
        for (int o = 0; o < use.user->num_outputs(); ++o)
          if (std::ranges::find(views, use.user->output(o)) == views.end()) views.push_back(use.user->output(o));
    }
  }
  return {};
}

// `value` may share memory with the graph input `ref`: it is that, or made from it by views.
bool MayComeFrom(const Value* value, const Value* ref) {
  std::vector<const Value*> sources = {value};
  for (size_t k = 0; k < sources.size(); ++k) {
    if (sources[k] == ref || k == kMaxViews) return true;
    const Node& producer = *sources[k]->producer();
    for (int i = 0; i < producer.num_inputs(); ++i)
      if (producer.input(i) && AliasInfo::MayAliasInput(producer, i)) sources.push_back(producer.input(i));
  }
  return false;
}

// Why the value that `write` stores is not made in the input's memory at once; empty if it may be.
std::string WhyNotInPlace(const Node& write) {
  const Graph& graph = write.graph();
  if (&graph != &graph.module().entry()) return "it stands in a subgraph, whose caller may read the old value";
  if (std::string kept = KeptByUser(write, {}); !kept.empty()) return kept;
  const Value* ref = write.input(0);
  if (!ref->producer()->Is("Data")) return "it writes into what is not a graph input by itself";
  const Value* made = write.input(1);
  const Node& update = *made->producer();
  if (update.op().Has(kSkeleton) || update.op().Has(kControlFlow) || update.num_outputs() != 1 || update.num_inputs() < 1 ||
      update.input(0) != ref)
    return StrCat("what it writes is no update of the input: '", update.name(), "' (", update.op().name, ") makes it");
  if (!SameLogicalType(made->type(), ref->type())) return "what it writes has another type than the input";
  if (!update.pure()) return StrCat("'", update.name(), "' has effects of its own");
  if (update.may_alias_inputs()) return StrCat("'", update.name(), "' gives a view");
  for (int i = 1; i < update.num_inputs(); ++i)
    if (update.input(i) && MayComeFrom(update.input(i), ref))
      return StrCat("operand ", i, " of '", update.name(), "' may share memory with the input");
  for (const Node* first : write.control_inputs())
    if (first != &update && !first->Before(update)) return StrCat("it waits for '", first->name(), "', which comes after the update");

  std::string why = VisitUses(*ref, write, [&](const Node& user, int index, bool view) -> std::string {
    if (&user == &update && index == 0 && !view) return {};
    if (&user == graph.net_output()) return view ? "a view of the old value is a result of the graph" : std::string();
    if (AliasInfo::MayWriteInput(user, index)) return StrCat("'", user.name(), "' may write the same memory");
    if (!user.Before(update)) return StrCat("'", user.name(), "' reads the old value after the update");
    return {};
  });
  if (!why.empty()) return why;
  return VisitUses(*made, write, [&](const Node& user, int index, bool) -> std::string {
    if (&user == graph.net_output()) return "the new value, or a view of it, is itself a result of the graph";
    if (AliasInfo::MayWriteInput(user, index)) return StrCat("'", user.name(), "' may write the new value");
    return {};
  });
}

// Why no engine runs `update` as a reference node; empty if one does. Asked of a copy, so that the graph stays as it is.
std::string WhyNoKernel(const Node& update, const EngineList& engines) {
  Module module(update.graph().module().ops());
  Result<Graph*> graph = module.AddGraph("probe");
  if (!graph.ok()) return graph.message();
  Graph::NodeSpec spec{.op = update.op().name, .attrs = update.attrs(), .types = {update.output()->type()}};
  spec.attrs.Set(kReferenceMark, true);
  for (const Value* in : update.inputs()) {
    if (in && in->producer()->const_value()) {
      Result<Node*> constant = (*graph)->Create({.op = "Const", .attrs = in->producer()->attrs(), .types = {in->type()}});
      if (!constant.ok()) return constant.message();
      spec.inputs.push_back((*constant)->output());
    } else {
      spec.inputs.push_back(in ? (*graph)->AddInput(in->type())->output() : nullptr);
    }
  }
  Result<Node*> node = (*graph)->Create(std::move(spec));
  if (!node.ok()) return node.message();
  std::string reasons;
  for (const Engine* engine : engines) {
    const Support answer = AskEngine(*engine, **node);
    if (answer.ok) return {};
    reasons += StrCat(reasons.empty() ? "" : "; ", engine->name(), ": ", answer.reason);
  }
  return StrCat("no engine has an in-place kernel of ", update.op().name, ": ", reasons);
}

}  // namespace

REG_PASS_OPTION(ReinplacePass)
    .Name("reinplace")
    .Doc("Updates of graph inputs (a cache, a buffer) happen in the input's memory instead of in a copy that is written back.")
    .Levels(OptLevel::kO2)
    .Node([](const PassContext& c) -> std::unique_ptr<NodePass> {
      if (c.engines.empty()) return nullptr;
      return std::make_unique<ReinplacePass>(c.engines);
    });

std::span<const std::string_view> ReinplacePass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"Assign"};
  return kAnchors;
}

Result<bool> ReinplacePass::Run(Node& node, Rewriter& rewriter) {
  if (!WhyNotInPlace(node).empty() || !WhyNoKernel(*node.input(1)->producer(), engines_).empty()) return false;
  Graph& graph = rewriter.graph();
  Node* update = node.input(1)->producer();
  graph.SetAttr(update, kReferenceMark, true);
  GE_RETURN_IF_ERROR(graph.ReplaceAllUses(node.output(), update->output()));
  graph.RemoveControlEdge(update, &node);
  GE_RETURN_IF_ERROR(graph.MoveControlEdges(&node, update));
  GE_RETURN_IF_ERROR(graph.Erase(&node));
  return true;
}

std::string ReinplacePass::WhyNot(const Node& node, const Rewriter&) const {
  if (!node.Is("Assign")) return {};
  std::string why = WhyNotInPlace(node);
  return why.empty() ? WhyNoKernel(*node.input(1)->producer(), engines_) : why;
}

}  // namespace ge
