// LogSoftmaxV2: logarithm of the softmax along one axis.
#include "host_kernels/norm_ops/softmax_kernel.h"

namespace ge {
namespace {

Result<Types> InferLogSoftmaxV2(const InferContext& c) { return nn::InferSoftmax(c); }

struct LogSoftmaxV2Kernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceSoftmax(ctx, nn::SoftmaxKind::kLog); }
};

}  // namespace

GE_DEFINE_OP(LogSoftmaxV2)
    .Doc("x - log(sum(exp(x))) along one axis.")
    .Input("logits", kFloatTypes)
    .Output("logsoftmax", kFloatTypes)
    .Int("axis", -1)
    .Infer(InferLogSoftmaxV2)
    .Aten("aten::_log_softmax(logits, @axis, false)");
REGISTER_COMPUTE_NODE_KERNEL(LogSoftmaxV2, LogSoftmaxV2Kernel);

}  // namespace ge
