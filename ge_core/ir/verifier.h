#pragma once
// The invariants of the IR, numbered as in docs/verifier.md.
#include "ge_core/ir/graph.h"

namespace ge {

// All violations, one a line: "V05 graph 'main', node 'relu_1' (model.py:12): ...". OK if there is none.
GE_API Status Verify(const Module& module);

// V11 for one type: dims and strides are not negative, sizes fit int64. Every reader of foreign types calls it.
GE_API Status CheckType(const ValueType& type);

}  // namespace ge
