#include "ge_core/ir/fused_region.h"

namespace ge {

const Graph* RegionBody(const Node& region) {
  const auto* body = region.attrs().Get<Attr::GraphRef>("body");
  return body ? region.graph().module().Find(body->name) : nullptr;
}

bool IsRegionBody(const Graph& graph) {
  for (const auto& g : graph.module().graphs()) {
    if (g->CountOf("FusedRegion") == 0) continue;
    for (const Node* n : g->nodes())
      if (n->Is("FusedRegion") && RegionBody(*n) == &graph) return true;
  }
  return false;
}

}  // namespace ge
