#pragma once
// Graph plan verifier: an independent proof that a plan is a plan of its graph. It shares no code with the planner.
#include "ge_core/compile/model.h"

namespace ge {

// Indices name existing values; tasks have the operands and results of their nodes; every operand exists when its task starts;
// effects, and accesses to memory that a task writes, keep the graph's order; every value has a storage that its type, engine
// and readers allow; no two arena buffers that are live at one time overlap, live ranges taken through aliases; what leaves the
// graph is in no memory that is used again; nothing is released before its last use.
// The failure names task, value and Python line. O(N log N) for a sound plan. Run on every plan that Compile makes.
GE_API Status VerifyGraphPlan(const GraphPlan& plan);

}  // namespace ge
