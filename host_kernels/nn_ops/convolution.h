#pragma once
// What the convolutions share. Attributes hold ATen's lists, one number a spatial axis (strides=[2, 2]), not AscendIR's
// lists over all axes (strides=[1, 1, 2, 2]): one form for every rank, and the rows of the ATen mapping need no conversion.
// x is (N, C, spatial...), filter (out C, in C / groups, spatial...), or (in C, out C / groups, spatial...) when transposed.
#include "host_kernels/nn_util.h"

namespace ge::nn {

struct ConvAttrs {
  std::vector<int64_t> stride, pad, dilation, output_padding;
  int64_t groups = 1;
};
// For n spatial axes, with PyTorch's range checks.
Result<ConvAttrs> ConvAttrsOf(const InferContext& ctx, size_t n, bool transposed);

// The output type of a convolution over n spatial axes.
Result<Types> InferConvolution(const InferContext& ctx, size_t n, bool transposed);
// The reference kernel, for one to three spatial axes.
Status ReferenceConvolution(const HostKernelContext& ctx, bool transposed);

}  // namespace ge::nn
