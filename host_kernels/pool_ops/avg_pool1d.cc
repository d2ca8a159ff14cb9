// AvgPool1D: average pooling over 1 spatial axes.
#include "host_kernels/pool_ops/avg_pool_kernel.h"

namespace ge {
namespace {

Result<Types> InferAvgPool1D(const InferContext& c) { return nn::InferAvgPool(c, 1); }

struct AvgPool1DKernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceAvgPool(ctx, 1); }
};

}  // namespace

GE_DEFINE_OP(AvgPool1D)
    .Doc(
        "Mean of each window of the last 1 axes. ksize, strides (empty: ksize) and pads have one number a spatial axis; exclusive leaves "
        "the "
        "padding out of the divisor (count_include_pad=False).")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("ksize", AttrKind::kInts)
    .Optional("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Bool("ceil_mode", false)
    .Bool("exclusive", true)
    .Infer(InferAvgPool1D)
    .Aten("aten::avg_pool1d(x, @ksize, @strides, @pads, @ceil_mode, true) if exclusive=false")
    .Aten("aten::avg_pool1d(x, @ksize, @strides, @pads, @ceil_mode, false) if exclusive=true");
REGISTER_COMPUTE_NODE_KERNEL(AvgPool1D, AvgPool1DKernel);

}  // namespace ge
