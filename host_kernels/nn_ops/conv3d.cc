// Conv3D: convolution over three spatial axes.
#include "host_kernels/nn_ops/convolution.h"

namespace ge {
namespace {

Result<Types> InferConv3D(const InferContext& c) { return nn::InferConvolution(c, 3, false); }

struct Conv3DKernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceConvolution(ctx, false); }
};

}  // namespace

GE_DEFINE_OP(Conv3D)
    .Doc(
        "Cross-correlation of x with the filter over three spatial axes, plus a bias of one element a channel. "
        "strides, pads (the same on both sides) and dilations have one number a spatial axis.")
    .Input("x", kNumericTypes)
    .Input("filter", kNumericTypes)
    .OptionalInput("bias", kNumericTypes)
    .Output("y", kNumericTypes)
    .Required("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Required("dilations", AttrKind::kInts)
    .Int("groups", 1)
    .String("data_format", "NCDHW")
    .Infer(InferConv3D)
    .Aten("aten::convolution(x, filter, bias, @strides, @pads, @dilations, false, [0], @groups)")
    .Aten("aten::convolution(x, filter, bias, @strides, @pads, @dilations, false, [0, 0, 0], @groups)")
    .Aten("aten::conv3d(x, filter, bias, @strides, @pads, @dilations, @groups)");
REGISTER_COMPUTE_NODE_KERNEL(Conv3D, Conv3DKernel);

}  // namespace ge
