#pragma once
// FusedRegion nodes: their body is a graph of the module that one engine compiles as a whole. Passes leave bodies alone.
#include "ge_core/ir/graph.h"

namespace ge {

// The body that a FusedRegion node names; null where it names none.
GE_API const Graph* RegionBody(const Node& region);
// `graph` is the body of a FusedRegion node of its module.
GE_API bool IsRegionBody(const Graph& graph);

}  // namespace ge
