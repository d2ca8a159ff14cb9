#pragma once
// Variance and its relatives: Var, Std, VarMean, StdMean differ in outputs and a square root only.
#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {

// Types of one statistic (`count` 1: spread) or two (spread, mean). The spread of complex numbers is real.
Result<Types> InferVariance(const InferContext& ctx, int count);
// Fills outputs: spread (root: its square root), and the mean if there is a second output.
Status ComputeVariance(const HostKernelContext& ctx, bool root);

}  // namespace ge
