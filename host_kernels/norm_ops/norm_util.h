#pragma once
// What the normalisation operators share.
#include "host_kernels/nn_util.h"

namespace ge::nn {

// All operands in one dtype, float32 or float64 or lower; that is what FakeTensor and the CPU kernels agree on. With low
// precision inputs and float32 parameters they differ in the dtype of the saved statistics: Unimplemented, the fallback is right.
Status RequireNormOperands(const InferContext& ctx);

// Mean and 1 / sqrt(variance + epsilon) of `count` doubles.
struct Moments {
  double mean = 0, rstd = 0;
};
Moments MomentsOf(const double* x, int64_t count, double epsilon);

}  // namespace ge::nn
