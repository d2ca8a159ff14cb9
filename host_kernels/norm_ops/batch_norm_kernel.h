#pragma once
// Inference of shapes and the reference kernel that the batch normalisations share.
#include "host_kernels/norm_ops/norm_util.h"

namespace ge::nn {

// x has a channel axis 1, and every operand from `first` on is a vector over the channels in x's dtype.
Status RequireBatchNormOperands(const InferContext& ctx, int first);
// Output 0 = (x - mean) / sqrt(variance + epsilon) * scale + offset, channel by channel; scale and offset may be null.
Status NormalizeChannels(const HostKernelContext& ctx, const Tensor* scale, const Tensor* offset, const Tensor& mean,
                         const Tensor& variance, double epsilon);

}  // namespace ge::nn
