#include "ge_core/passes/layout/prepack_pass.h"

#include <map>

#include "ge_core/base/str.h"
#include "ge_core/ir/fused_region.h"
#include "ge_core/passes/constant_stage.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {

REG_PASS_OPTION(PrepackPass)
    .Name("prepack")
    .Doc("Weights take the storage layout that their engine likes best.")
    .Levels(OptLevel::kO2)
    .Graph([](const PassContext& c) -> std::unique_ptr<GraphPass> {
      if (c.engines.empty()) return nullptr;
      return std::make_unique<PrepackPass>(c.engines);
    });

Result<bool> PrepackPass::Run(Graph& graph) {
  if (!graph.ops().Find("TransData") || IsRegionBody(graph)) return false;
  const ConstantStage stage(graph);
  std::map<std::pair<std::string, std::string>, Value*> packed;  // (name and number of the weight, layout) -> value
  bool changed = false;
  for (Node* node : graph.NodeList()) {
    if (node->op().Has(kSkeleton) || !stage.AtCall(*node)) continue;
    const Engine* engine = nullptr;
    for (const Engine* e : engines_) {
      if (e->Supports(*node).ok) {
        engine = e;
        break;
      }
    }
    if (!engine) continue;
    for (LayoutPreference& wish : engine->Preferences(*node)) {
      if (wish.layout.kind != StorageLayout::Kind::kPacked) continue;
      const bool given = wish.side == LayoutPreference::Side::kInput && wish.operand >= 0 && wish.operand < node->num_inputs();
      Value* weight = given ? node->input(wish.operand) : nullptr;
      if (!weight || weight->type().layout == wish.layout || !stage.Known(*weight->producer())) continue;
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
      GE_RETURN_IF_ERROR(graph.SetInput(node, wish.operand, to));
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
