// SoftmaxV2: softmax along one axis.
#include "host_kernels/norm_ops/softmax_kernel.h"

namespace ge {
namespace {

Result<Types> InferSoftmaxV2(const InferContext& c) { return nn::InferSoftmax(c); }

struct SoftmaxV2Kernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceSoftmax(ctx, nn::SoftmaxKind::kPlain); }
};

}  // namespace

GE_DEFINE_OP(SoftmaxV2)
    .Doc("exp(x) / sum(exp(x)) along one axis. The attribute is `axis`, one number, where AscendIR has a list.")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Int("axis", -1)
    .Infer(InferSoftmaxV2)
    .Aten("aten::_softmax(x, @axis, false)");
REGISTER_COMPUTE_NODE_KERNEL(SoftmaxV2, SoftmaxV2Kernel);

}  // namespace ge
