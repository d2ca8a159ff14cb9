#pragma once
// Which control edges order something. Effects happen in list order by themselves; an edge matters where it says more than
// the data it runs beside.
#include "ge_core/ir/graph.h"

namespace ge {

// A path of data and control edges leads from `first` to `node` without the edge between the two. Looks at a bounded
// number of nodes: false may mean that the path is long.
bool OrderedWithoutEdge(const Node& first, const Node& node);

// `node` runs only if a branch is taken: it is, or reads, what a Switch or RefSwitch gives. Waiting for it is a condition,
// not only an order.
bool MayNotRun(const Node& node);

}  // namespace ge
