#pragma once
// Plan verifier: an independent proof that a memory plan is sound. It shares no code with the planner.
#include <span>

#include "ge_core/base/api.h"
#include "ge_core/base/status.h"
#include "ge_core/compile/memory_planner.h"

namespace ge {

// Every buffer lies inside the arena at its alignment, and no two buffers that are live at one time overlap. The
// failure names both buffers, their live ranges and their addresses. O(N log N) for a sound plan.
GE_API Status VerifyMemoryPlan(std::span<const BufferRequest> requests, const MemoryPlan& plan);

}  // namespace ge
