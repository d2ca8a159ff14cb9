#pragma once
// Shape rules shared by the Squeeze and Unsqueeze families, whose members differ in where the axes are written.
#include "host_kernels/shape_util.h"

namespace ge {

// Drops the axes of extent 1: the listed ones (an axis of another extent stays, as in PyTorch), or all if `axes` is null.
Result<Types> InferSqueeze(const ValueType& x, const std::vector<int64_t>* axes, std::string_view op);
// Inserts axes of extent 1; positions are counted in the result.
Result<Types> InferUnsqueeze(const ValueType& x, std::span<const int64_t> axes, std::string_view op);

}  // namespace ge
