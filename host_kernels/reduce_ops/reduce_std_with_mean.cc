#include "host_kernels/reduce_ops/variance.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return InferVariance(ctx, 2); }

struct ReduceStdWithMeanKernel {
  static Status Compute(const HostKernelContext& ctx) { return ComputeVariance(ctx, true); }
};

}  // namespace

GE_DEFINE_OP(ReduceStdWithMean)
    .Doc("Standard deviation and mean over the listed axes.")
    .Input("x", kFloatTypes | kComplexTypes)
    .OptionalInput("axes", kIndexTypes)
    .Output("y")
    .Output("mean")
    .Optional("correction", AttrKind::kScalar)
    .Bool("keepdim", false)
    .Infer(Infer)
    .Aten("aten::std_mean.correction(x, #axes, @correction, @keepdim)")
    .Aten("aten::std_mean.dim(x, #axes, true, @keepdim) if correction=1")
    .Aten("aten::std_mean.dim(x, #axes, false, @keepdim) if correction=0")
    .Aten("aten::std_mean(x, true) if correction=1")
    .Aten("aten::std_mean(x, false) if correction=0");
REGISTER_COMPUTE_NODE_KERNEL(ReduceStdWithMean, ReduceStdWithMeanKernel);

}  // namespace ge
