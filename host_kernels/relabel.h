#pragma once
// Adjust of the operators that write another shape on the same row-major data (Reshape, Squeeze, ExpandDims, ...).
#include "ge_core/ir/host_kernel.h"

namespace ge {

// HostKernel::adjust for them: completes output 0's type by inference. OK if that type is static and the node changes
// nothing but the type of input 0's data.
Status AdjustRelabelling(Graph& graph, Node& node);

}  // namespace ge
