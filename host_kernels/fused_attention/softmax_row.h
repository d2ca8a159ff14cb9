#pragma once
#include "host_kernels/fused_attention/problem.h"

namespace ge::attention {

// The scores s[0..count) of one query, without scale and mask, become exponentials relative to the largest. Returns their sum, 0 if
// every key is masked: all are 0 then. `mask`: of this query and the first key (null: none); `largest`: the maximum before.
float SoftmaxRow(const Problem& p, const void* mask, int64_t count, float* s, float* largest);

// row[i] *= factor
void ScaleRow(float* row, float factor, int64_t count);

}  // namespace ge::attention
