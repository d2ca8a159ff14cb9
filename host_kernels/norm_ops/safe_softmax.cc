// SafeSoftmax: softmax whose fully masked rows are zero.
#include "host_kernels/norm_ops/softmax_kernel.h"

namespace ge {
namespace {

Result<Types> InferSafeSoftmax(const InferContext& c) { return nn::InferSoftmax(c); }

struct SafeSoftmaxKernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceSoftmax(ctx, nn::SoftmaxKind::kSafe); }
};

}  // namespace

GE_DEFINE_OP(SafeSoftmax)
    .Doc("Softmax along one axis; a row of -inf alone gives zeros, not NaN. An op of its own so that no softmax rule meets it.")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Int("axis", -1)
    .Infer(InferSafeSoftmax)
    .Aten("aten::_safe_softmax(x, @axis)");
REGISTER_COMPUTE_NODE_KERNEL(SafeSoftmax, SafeSoftmaxKernel);

}  // namespace ge
