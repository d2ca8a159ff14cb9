// Conv2DTranspose: transposed convolution over one or two spatial axes.
#include "host_kernels/nn_ops/convolution.h"

namespace ge {
namespace {

Result<Types> InferConv2DTranspose(const InferContext& c) {
  // One spatial axis or two: a 1-D convolution is the same op with shorter lists.
  return nn::InferConvolution(c, c.input(0).IsTensor() && c.input(0).rank() == 3 ? 1 : 2, true);
}

struct Conv2DTransposeKernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceConvolution(ctx, true); }
};

}  // namespace

GE_DEFINE_OP(Conv2DTranspose)
    .Doc(
        "The gradient of Conv2D with respect to its input, used as a layer. "
        "output_padding resolves the output extent, so AscendIR's operand input_size is not needed.")
    .Input("x", kNumericTypes)
    .Input("filter", kNumericTypes)
    .OptionalInput("bias", kNumericTypes)
    .Output("y", kNumericTypes)
    .Required("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Required("dilations", AttrKind::kInts)
    .Int("groups", 1)
    .Required("output_padding", AttrKind::kInts)
    .String("data_format", "NCHW")
    .Infer(InferConv2DTranspose)
    .Aten("aten::convolution(x, filter, bias, @strides, @pads, @dilations, true, @output_padding, @groups)")
    .Aten("aten::conv_transpose2d.input(x, filter, bias, @strides, @pads, @output_padding, @groups, @dilations)")
    .Aten("aten::conv_transpose1d(x, filter, bias, @strides, @pads, @output_padding, @groups, @dilations)");
REGISTER_COMPUTE_NODE_KERNEL(Conv2DTranspose, Conv2DTransposeKernel);

}  // namespace ge
