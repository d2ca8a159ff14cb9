// ConvolutionBackward: the three gradients of a convolution.
#include "host_kernels/nn_ops/convolution.h"

namespace ge {
namespace {

Result<Types> InferConvolutionBackward(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 2}));
  const ValueType &dy = c.input(0), &x = c.input(1), &filter = c.input(2);
  if (x.rank() < 3 || x.rank() > 5 || dy.rank() != x.rank() || filter.rank() != x.rank())
    return Unimplemented(StrCat("ConvolutionBackward: operands ", ToString(dy), ", ", ToString(x), ", ", ToString(filter),
                                ": expected one rank from 3 to 5"));
  GE_RETURN_IF_ERROR(nn::ConvAttrsOf(c, static_cast<size_t>(x.rank()) - 2, c.Bool("transposed")).status());
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, nn::MaskOf(c, "output_mask", 3));
  return Types{mask[0] ? ValueType::Tensor(x.dtype(), x.shape()) : ValueType::Opaque(),
               mask[1] ? ValueType::Tensor(filter.dtype(), filter.shape()) : ValueType::Opaque(),
               mask[2] ? ValueType::Tensor(dy.dtype(), {dy.shape()[1]}) : ValueType::Opaque()};
}

}  // namespace

GE_DEFINE_OP(ConvolutionBackward)
    .Doc(
        "Gradients of Conv2D, Conv3D and their transposed forms with respect to x, filter and bias. One op, as ATen computes them "
        "together; "
        "AscendIR splits it into Conv2DBackpropInput, Conv2DBackpropFilter and a sum. A masked-out gradient is None.")
    .Input("out_backprop", kFloatTypes | kComplexTypes)
    .Input("x", kFloatTypes | kComplexTypes)
    .Input("filter", kFloatTypes | kComplexTypes)
    .Output("dx")
    .Output("dfilter")
    .Output("dbias")
    .Optional("bias_sizes", AttrKind::kAny)
    .Required("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Required("dilations", AttrKind::kInts)
    .Required("transposed", AttrKind::kBool)
    .Required("output_padding", AttrKind::kInts)
    .Int("groups", 1)
    .Required("output_mask", AttrKind::kAny)
    .Infer(InferConvolutionBackward)
    .Aten(
        "aten::convolution_backward(out_backprop, x, filter, @bias_sizes, @strides, @pads, @dilations, @transposed, @output_padding, "
        "@groups, "
        "@output_mask)");

}  // namespace ge
