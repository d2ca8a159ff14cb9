#pragma once
// Memory planner: a pure function from live ranges to offsets in one arena. The greedy placement is run with several
// orders and the smallest arena wins; plan_verifier.h proves the result independently.
#include <cstdint>
#include <span>
#include <vector>

#include "ge_core/base/api.h"
#include "ge_core/base/status.h"

namespace ge {

// One buffer of the arena, live from the start of task `first` to the end of task `last`.
struct BufferRequest {
  int64_t bytes = 0;
  int first = 0;
  int last = 0;        // inclusive
  int alignment = 64;  // a power of two
};

struct MemoryPlan {
  std::vector<int64_t> offsets;  // one per request, in the order of the requests; 0 for an empty buffer
  int64_t total = 0;             // bytes of the arena
};

// Places every request. Deterministic. Fails on a malformed request (negative size, last < first, an alignment that is
// no power of two) or if the sizes add up beyond int64.
GE_API Result<MemoryPlan> PlanMemory(std::span<const BufferRequest> requests);

// No plan can be smaller: the largest sum of the bytes live at one time.
GE_API int64_t ArenaLowerBound(std::span<const BufferRequest> requests);

}  // namespace ge
