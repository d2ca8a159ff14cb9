#pragma once
// Adaptive pooling: the output extents are given, the windows follow from them.
#include "host_kernels/nn_util.h"

namespace ge::nn {

// x with its last n axes replaced by `output_size` (operand `size` if present, else the attribute).
Result<Shape> AdaptivePoolShape(const InferContext& ctx, size_t n, int size_operand = -1);

// The window of output o: [begin, end).
inline int64_t AdaptiveBegin(int64_t o, int64_t in, int64_t out) { return o * in / out; }
inline int64_t AdaptiveEnd(int64_t o, int64_t in, int64_t out) { return ((o + 1) * in + out - 1) / out; }

}  // namespace ge::nn
