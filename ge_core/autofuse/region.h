#pragma once
// Region: nodes that a fusing pass wants to run as one task, and the FusedRegion node that takes their place.
#include "ge_core/ir/engine.h"

namespace ge {

struct Region {
  std::vector<Node*> nodes;     // in list order
  std::vector<Value*> inputs;   // what they read of others, each once
  std::vector<Value*> outputs;  // what others read of them
};

// Fills inputs (in order of first use) and outputs (in list order) from nodes.
void FindBoundary(Region& region);

// Puts a FusedRegion node in the place of the last node and erases the nodes, if `engine` supports it; else the graph stays
// as it is. True: replaced. Everything the region reads must be computed before its last node, everything that reads it
// after.
Result<bool> ReplaceByFusedRegion(Graph& graph, const Engine& engine, const Region& region);

}  // namespace ge
