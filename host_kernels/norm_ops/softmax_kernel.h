#pragma once
// Softmax and log-softmax along one axis: inference and reference kernel.
#include "host_kernels/nn_util.h"

namespace ge::nn {

enum class SoftmaxKind { kPlain, kLog, kSafe /* a row of -inf gives zeros instead of NaN */ };

// The type of input `operand`; the attribute "axis" must name one of its axes.
Result<Types> InferSoftmax(const InferContext& ctx, int operand = 0);
Status ReferenceSoftmax(const HostKernelContext& ctx, SoftmaxKind kind);

}  // namespace ge::nn
