#include "host_kernels/reduce_ops/variance.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) { return InferVariance(ctx, 1); }

struct ReduceVarKernel {
  static Status Compute(const HostKernelContext& ctx) { return ComputeVariance(ctx, false); }
};

}  // namespace

GE_DEFINE_OP(ReduceVar)
    .Doc("The variance over the listed axes, divided by n - correction (default 1, at least 0).")
    .Input("x", kFloatTypes | kComplexTypes)
    .OptionalInput("axes", kIndexTypes)
    .Output("y")
    .Optional("correction", AttrKind::kScalar)
    .Bool("keepdim", false)
    .Infer(Infer)
    .Aten("aten::var.correction(x, #axes, @correction, @keepdim)")
    .Aten("aten::var.dim(x, #axes, true, @keepdim) if correction=1")
    .Aten("aten::var.dim(x, #axes, false, @keepdim) if correction=0")
    .Aten("aten::var(x, true) if correction=1")
    .Aten("aten::var(x, false) if correction=0");
REGISTER_COMPUTE_NODE_KERNEL(ReduceVar, ReduceVarKernel);

}  // namespace ge
