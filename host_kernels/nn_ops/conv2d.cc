// Conv2D: convolution over one or two spatial axes.
#include "host_kernels/nn_ops/convolution.h"

namespace ge {
namespace {

Result<Types> InferConv2D(const InferContext& c) {
  // One spatial axis or two: a 1-D convolution is the same op with shorter lists.
  return nn::InferConvolution(c, c.input(0).IsTensor() && c.input(0).rank() == 3 ? 1 : 2, false);
}

struct Conv2DKernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceConvolution(ctx, false); }
};

}  // namespace

GE_DEFINE_OP(Conv2D)
    .Doc(
        "Cross-correlation of x with the filter over one or two spatial axes, plus a bias of one element a channel. "
        "strides, pads (the same on both sides) and dilations have one number a spatial axis.")
    .Input("x", kNumericTypes)
    .Input("filter", kNumericTypes)
    .OptionalInput("bias", kNumericTypes)
    .Output("y", kNumericTypes)
    .Required("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Required("dilations", AttrKind::kInts)
    .Int("groups", 1)
    .String("data_format", "NCHW")
    .Infer(InferConv2D)
    // The output padding is ignored; [0] executes for every rank.
    .Aten("aten::convolution(x, filter, bias, @strides, @pads, @dilations, false, [0], @groups)")
    .Aten("aten::convolution(x, filter, bias, @strides, @pads, @dilations, false, [0, 0], @groups)")
    .Aten("aten::conv2d(x, filter, bias, @strides, @pads, @dilations, @groups)")
    .Aten("aten::conv1d(x, filter, bias, @strides, @pads, @dilations, @groups)");
REGISTER_COMPUTE_NODE_KERNEL(Conv2D, Conv2DKernel);

}  // namespace ge
