#pragma once
// What the resizing operators share. The operand `size` holds the spatial output extents; the optional scales are the
// factors the caller gave, which the sampling positions follow in place of the ratio of the extents.
#include "host_kernels/nn_util.h"

namespace ge::nn {

// x (N, C, and n spatial axes) resized to the extents that operand 1 holds.
Result<Types> InferResize(const InferContext& ctx, size_t n);
// The gradient: the shape that operand 2 (input_size) holds; grad has the extents that operand 1 (size) holds.
Result<Types> InferResizeGrad(const InferContext& ctx, size_t n);

}  // namespace ge::nn
