#include "host_kernels/reduce_ops/variance.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return InferVariance(ctx, 1); }

struct ReduceStdV2Kernel {
  static Status Compute(const HostKernelContext& ctx) { return ComputeVariance(ctx, true); }
};

}  // namespace

GE_DEFINE_OP(ReduceStdV2)
    .Doc("The standard deviation over the listed axes, divided by n - correction (default 1) under the root.")
    .Input("x", kFloatTypes | kComplexTypes)
    .OptionalInput("axes", kIndexTypes)
    .Output("y")
    .Optional("correction", AttrKind::kScalar)
    .Bool("keepdim", false)
    .Infer(Infer)
    .Aten("aten::std.correction(x, #axes, @correction, @keepdim)")
    .Aten("aten::std.dim(x, #axes, true, @keepdim) if correction=1")
    .Aten("aten::std.dim(x, #axes, false, @keepdim) if correction=0")
    .Aten("aten::std(x, true) if correction=1")
    .Aten("aten::std(x, false) if correction=0");
REGISTER_COMPUTE_NODE_KERNEL(ReduceStdV2, ReduceStdV2Kernel);

}  // namespace ge
