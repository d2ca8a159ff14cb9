#include "ge_core/passes/layout/prepack_pass.h"

#include <map>
#include <unordered_set>

#include "ge_core/base/str.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// What is known once the weights are: one sweep in topological order.
std::unordered_set<const Node*> ConstantStage(const Graph& graph) {
  std::unordered_set<const Node*> constant;  // looked up only
  for (const Node* n : graph.nodes()) {
    if (n->const_value() || (n->Is("Data") && n->Bool("weight"))) {
      constant.insert(n);
      continue;
    }
    if (n->op().Has(kSkeleton) || n->inputs().empty() || !n->pure() || !n->control_inputs().empty()) continue;
    bool all = true;
    for (const Value* v : n->inputs()) all = all && (!v || constant.contains(v->producer()));
    if (all) constant.insert(n);
  }
  return constant;
}

}  // namespace

REG_PASS_OPTION(PrepackPass)
    .Name("prepack")
    .Doc("Weights take the storage layout that their engine likes best.")
    .Levels(OptLevel::kO2)
    .Graph([](const PassContext& c) -> std::unique_ptr<GraphPass> {
      if (c.engines.empty()) return nullptr;
      return std::make_unique<PrepackPass>(c.engines);
    });

Result<bool> PrepackPass::Run(Graph& graph) {
  if (!graph.ops().Find("TransData")) return false;
  const std::unordered_set<const Node*> constant = ConstantStage(graph);
  std::map<std::pair<std::string, std::string>, Value*> packed;  // (name and number of the weight, layout) -> value
  bool changed = false;
  for (Node* node : graph.NodeList()) {
    if (node->op().Has(kSkeleton) || constant.contains(node)) continue;
    const Engine* engine = nullptr;
    for (const Engine* e : engines_) {
      if (e->Supports(*node).ok) {
        engine = e;
        break;
      }
    }
    if (!engine) continue;
    for (LayoutPreference& wish : engine->Preferences(*node)) {
      Value* weight = wish.input >= 0 && wish.input < node->num_inputs() ? node->input(wish.input) : nullptr;
      if (!weight || weight->type().layout == wish.layout || !constant.contains(weight->producer())) continue;
      Value*& to = packed[{StrCat(weight->producer()->name(), ":", weight->index()), wish.layout.packed}];
      if (!to) {
        ValueType type = weight->type();
        type.layout = wish.layout;
        GE_ASSIGN_OR_RETURN(Node* const pack, graph.Create({.op = "TransData",
                                                            .inputs = {weight},
                                                            .attrs = {},
                                                            .name = {},
                                                            .loc = node->loc(),
                                                            .types = {std::move(type)},
                                                            .after = {}},
                                                           node));
        to = pack->output();
      }
      GE_RETURN_IF_ERROR(graph.SetInput(node, wish.input, to));
      changed = true;
    }
    // A wish granted must not lose the engine: nobody else can read the layout.
    if (Support s = engine->Supports(*node); !s.ok) {
      return Internal(StrCat("prepack: engine '", engine->name(), "' wished for a layout of node '", node->name(), "' (", node->op().name,
                             ") and then refuses it: ", s.reason));
    }
  }
  return changed;
}

}  // namespace ge
