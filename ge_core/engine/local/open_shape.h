#pragma once
#include <algorithm>

#include "ge_core/ir/graph.h"

namespace ge::local {

// Some tensor that the node reads or makes has extents that are known at run time only.
inline bool HasOpenShape(const Node& node) {
  const auto open = [](const Value* v) { return v && v->type().IsTensor() && !v->type().IsStatic(); };
  if (std::ranges::any_of(node.inputs(), open)) return true;
  for (int i = 0; i < node.num_outputs(); ++i)
    if (open(node.output(i))) return true;
  return false;
}

}  // namespace ge::local
