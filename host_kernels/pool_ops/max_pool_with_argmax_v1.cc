// MaxPoolWithArgmaxV1: max pooling over 2 spatial axes, with the places of the maxima.
#include "host_kernels/pool_ops/max_pool_kernel.h"

namespace ge {
namespace {

Result<Types> InferMaxPoolWithArgmaxV1(const InferContext& c) { return nn::InferMaxPool(c, 2); }

struct MaxPoolWithArgmaxV1Kernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceMaxPool(ctx, 2); }
};

}  // namespace

GE_DEFINE_OP(MaxPoolWithArgmaxV1)
    .Doc(
        "Maximum of each window of the last 2 axes, and its flat index within them (i64). ksize, strides (empty: ksize), pads and dilation "
        "have one number a spatial axis. NaN wins; of equal maxima the first.")
    .Input("x", kRealTypes)
    .Output("y", kRealTypes)
    .Output("argmax", kI64Type)
    .Required("ksize", AttrKind::kInts)
    .Optional("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Required("dilation", AttrKind::kInts)
    .Bool("ceil_mode", false)
    .Traits(kFollowsLayout)
    .Infer(InferMaxPoolWithArgmaxV1)
    .Aten("aten::max_pool2d_with_indices(x, @ksize, @strides, @pads, @dilation, @ceil_mode)");
REGISTER_COMPUTE_NODE_KERNEL(MaxPoolWithArgmaxV1, MaxPoolWithArgmaxV1Kernel);

}  // namespace ge
