// AvgPool3D: average pooling over 3 spatial axes.
#include "host_kernels/pool_ops/avg_pool_kernel.h"

namespace ge {
namespace {

Result<Types> InferAvgPool3D(const InferContext& c) { return nn::InferAvgPool(c, 3); }

struct AvgPool3DKernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceAvgPool(ctx, 3); }
};

}  // namespace

GE_DEFINE_OP(AvgPool3D)
    .Doc(
        "Mean of each window of the last 3 axes. ksize, strides (empty: ksize) and pads have one number a spatial axis; exclusive leaves "
        "the "
        "padding out of the divisor (count_include_pad=False).")
    .Input("x", TypesOf(DType::kF32, DType::kF64))
    .Output("y", TypesOf(DType::kF32, DType::kF64))
    .Required("ksize", AttrKind::kInts)
    .Optional("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Bool("ceil_mode", false)
    .Bool("exclusive", true)
    .Optional("divisor_override", AttrKind::kInt)
    .Traits(kFollowsLayout)
    .Infer(InferAvgPool3D)
    .Aten("aten::avg_pool3d(x, @ksize, @strides, @pads, @ceil_mode, true, @divisor_override) if exclusive=false")
    .Aten("aten::avg_pool3d(x, @ksize, @strides, @pads, @ceil_mode, false, @divisor_override) if exclusive=true");
REGISTER_COMPUTE_NODE_KERNEL(AvgPool3D, AvgPool3DKernel);

}  // namespace ge
