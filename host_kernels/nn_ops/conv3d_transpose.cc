// Conv3DTranspose: transposed convolution over three spatial axes.
#include "host_kernels/nn_ops/convolution.h"

namespace ge {
namespace {

Result<Types> InferConv3DTranspose(const InferContext& c) { return nn::InferConvolution(c, 3, true); }

struct Conv3DTransposeKernel {
  static Status Compute(const HostKernelContext& ctx) { return nn::ReferenceConvolution(ctx, true); }
};

}  // namespace

GE_DEFINE_OP(Conv3DTranspose)
    .Doc(
        "The gradient of Conv3D with respect to its input, used as a layer. "
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
    .String("data_format", "NCDHW")
    .Infer(InferConv3DTranspose)
    .Aten("aten::convolution(x, filter, bias, @strides, @pads, @dilations, true, @output_padding, @groups)")
    .Aten("aten::conv_transpose3d.input(x, filter, bias, @strides, @pads, @output_padding, @groups, @dilations)");
REGISTER_COMPUTE_NODE_KERNEL(Conv3DTranspose, Conv3DTransposeKernel);

}  // namespace ge
