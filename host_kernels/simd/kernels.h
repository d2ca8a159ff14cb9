#pragma once
// The operators that the SIMD engine runs: one row each, tried by name. Their loops are plain C++ (GE_SIMD_CLONES).
#include <optional>

#include "ge_core/base/str.h"
#include "ge_core/ir/engine.h"
#include "host_kernels/simd_clones.h"
#include "host_kernels/tensor_check.h"

namespace ge::simd {

struct OpRow {
  std::string_view op;
  Support (*supports)(const Node&);
  Result<std::unique_ptr<Executable>> (*load)(const Node&);
  std::vector<LayoutPreference> (*preferences)(const Node&) = nullptr;
};

extern const OpRow kLayerNormRow;
extern const OpRow kRmsNormRow;
extern const OpRow kAttentionRow;
extern const OpRow kFlashAttentionRow;
extern const OpRow kGemvRow;
extern const OpRow kSpatialMeanRow;

// Runs body(begin, end) over parts of [0, count), on up to `threads` threads if `work` (element operations in all) is worth it.
void ParallelFor(int threads, int64_t count, double work, const std::function<void(int64_t, int64_t)>& body);

// Memory of input or output i of a call; an error where the executor has not bound it.
Result<char*> Data(std::span<Slot* const> slots, int i);

}  // namespace ge::simd
