#pragma once
// Average pooling over one to three spatial axes: inference and reference kernel.
#include "host_kernels/nn_util.h"

namespace ge::nn {

Result<Types> InferAvgPool(const InferContext& ctx, size_t n);
Status ReferenceAvgPool(const HostKernelContext& ctx, size_t n);

}  // namespace ge::nn
