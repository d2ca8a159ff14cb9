#include "host_kernels/reduce_ops/variance.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return InferVariance(ctx, 2); }

struct VarMeanKernel {
  static Status Compute(const HostKernelContext& ctx) { return ComputeVariance(ctx, false); }
};

}  // namespace

GE_DEFINE_OP(VarMean)
    .Doc("Variance and mean over the listed axes.")
    .Input("x", kFloatTypes | kComplexTypes)
    .OptionalInput("axes", kIndexTypes)
    .Output("y")
    .Output("mean")
    .Optional("correction", AttrKind::kScalar)
    .Bool("keepdim", false)
    .Infer(Infer)
    .Aten("aten::var_mean.correction(x, #axes, @correction, @keepdim)")
    .Aten("aten::var_mean.dim(x, #axes, true, @keepdim) if correction=1")
    .Aten("aten::var_mean.dim(x, #axes, false, @keepdim) if correction=0")
    .Aten("aten::var_mean(x, true) if correction=1")
    .Aten("aten::var_mean(x, false) if correction=0");
REGISTER_COMPUTE_NODE_KERNEL(VarMean, VarMeanKernel);

}  // namespace ge
