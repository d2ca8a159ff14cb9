#pragma once
// Reference nodes: result 0 is written in the memory of operand 0 (AscendIR's attribute `reference`). The operator stays the
// functional one, IndexCopy say; the mark says where its result goes. Set by the reinplace pass, last of the pipeline.
#include "ge_core/ir/engine.h"

namespace ge {

inline constexpr std::string_view kReferenceMark = "_reference";

// `node` carries the mark.
GE_API bool IsReference(const Node& node);
// `node` writes the memory of its operand 0: a reference node, or an operator that always does (Assign).
GE_API bool WritesOperand0(const Node& node);

// What `engine` says of `node`. Reference nodes go to engines that call eager's in-place kernels; one that writes into planned
// memory would leave operand 0 as it is.
GE_API Support AskEngine(const Engine& engine, const Node& node);

}  // namespace ge
