// AvgPoolV2: average pooling over 2 spatial axes.
#include "host_kernels/pool_ops/avg_pool_kernel.h"

namespace ge {
namespace {

Result<Types> InferAvgPoolV2(const InferContext& c) { return nn::InferAvgPool(c, 2); }

struct AvgPoolV2Kernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceAvgPool(ctx, 2); }
};

}  // namespace

GE_DEFINE_OP(AvgPoolV2)
    .Doc(
        "Mean of each window of the last 2 axes. ksize, strides (empty: ksize) and pads have one number a spatial axis; exclusive leaves "
        "the "
        "padding out of the divisor (count_include_pad=False).")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("ksize", AttrKind::kInts)
    .Optional("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Bool("ceil_mode", false)
    .Bool("exclusive", true)
    .Optional("divisor_override", AttrKind::kInt)
    .Traits(kFollowsLayout)
    .Infer(InferAvgPoolV2)
    .Aten("aten::avg_pool2d(x, @ksize, @strides, @pads, @ceil_mode, true, @divisor_override) if exclusive=false")
    .Aten("aten::avg_pool2d(x, @ksize, @strides, @pads, @ceil_mode, false, @divisor_override) if exclusive=true");
REGISTER_COMPUTE_NODE_KERNEL(AvgPoolV2, AvgPoolV2Kernel);

}  // namespace ge
