#include "ge_core/autofuse/epilogue_fusion_pass.h"

#include <algorithm>

#include "ge_core/autofuse/region.h"
#include "ge_core/ir/fused_region.h"
#include "ge_core/passes/constant_stage.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

constexpr size_t kMaxChain = 6;  // longer ones meet no engine's limits, and every try costs one question

bool Free(const Node& n) { return n.pure() && n.num_outputs() == 1 && n.control_inputs().empty() && n.control_outputs().empty(); }

// The node that may follow `n` in a chain, or null.
Node* Follower(const Node& n) {
  const Value& y = *n.output();
  if (y.uses().size() != 1) return nullptr;
  Node* next = y.uses()[0].user;
  return next->op().Has(kElementwise) && Free(*next) && next->output()->type().IsTensor() &&
                 next->output()->type().shape() == y.type().shape()
             ? next
             : nullptr;
}

// The engine of the node, if it can be asked about regions at all: one that writes where the plan says.
const Engine* EngineOf(const Node& n, const EngineList& engines) {
  for (const Engine* e : engines)
    if (e->Supports(n).ok) return e->allocates_outputs() ? nullptr : e;
  return nullptr;
}

}  // namespace

REG_PASS_OPTION(EpilogueFusionPass)
    .Name("epilogue-fusion")
    .Doc("Element-wise nodes behind a convolution or matrix product become part of it, as far as its engine takes them.")
    .Levels(OptLevel::kO3)
    .Graph([](const PassContext& c) -> std::unique_ptr<GraphPass> {
      if (c.engines.empty()) return nullptr;
      return std::make_unique<EpilogueFusionPass>(c.engines);
    });

Result<bool> EpilogueFusionPass::Run(Graph& graph) {
  if (!graph.ops().Find("FusedRegion") || IsRegionBody(graph)) return false;
  const ConstantStage stage(graph);
  // Effects before each node, by Node::id(): a product must not move across a write to what it reads.
  std::vector<int> epoch(static_cast<size_t>(graph.node_bound()));
  int effects = 0;
  for (const Node* n : graph.nodes()) {
    epoch[static_cast<size_t>(n->id())] = effects;
    if (!n->op().Has(kSkeleton) && !n->pure()) ++effects;
  }
  const auto epoch_of = [&](const Node& n) { return epoch[static_cast<size_t>(n.id())]; };

  bool changed = false;
  // Nodes that went into a region are no more: they are known by their numbers, taken before.
  std::vector<bool> gone(static_cast<size_t>(graph.node_bound()));
  std::vector<std::pair<Node*, size_t>> nodes;
  for (Node* n : graph.nodes()) nodes.emplace_back(n, static_cast<size_t>(n->id()));
  for (const auto& [product, id] : nodes) {
    if (gone[id]) continue;
    if (product->op().Has(kSkeleton) || product->op().Has(kElementwise) || product->op().Has(kView) || !Free(*product)) continue;
    if (!product->output()->type().IsTensor() || !stage.AtCall(*product)) continue;
    Region region{{product}, {}, {}};
    for (Node* next = Follower(*product); next && region.nodes.size() <= kMaxChain; next = Follower(*next)) {
      if (epoch_of(*next) != epoch_of(*product)) break;
      region.nodes.push_back(next);
    }
    if (region.nodes.size() < 2) continue;
    const Engine* engine = EngineOf(*product, engines_);
    if (!engine) continue;
    for (; region.nodes.size() > 1; region.nodes.pop_back()) {
      FindBoundary(region);
      std::vector<size_t> ids;
      for (const Node* n : region.nodes) ids.push_back(static_cast<size_t>(n->id()));
      GE_ASSIGN_OR_RETURN(const bool replaced, ReplaceByFusedRegion(graph, *engine, region));
      if (!replaced) continue;
      for (size_t fused : ids) gone[fused] = true;
      changed = true;
      break;
    }
  }
  return changed;
}

}  // namespace ge
