// AvgPoolV2Grad: the gradient of average pooling over 2 spatial axes.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferAvgPoolV2Grad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  return Types{ValueType::Tensor(c.input(1).dtype(), c.input(1).shape())};
}

}  // namespace

GE_DEFINE_OP(AvgPoolV2Grad)
    .Doc("Spreads each element of grad evenly over its window.")
    .Input("grad", kFloatTypes)
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("ksize", AttrKind::kInts)
    .Optional("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Bool("ceil_mode", false)
    .Bool("exclusive", true)
    .Optional("divisor_override", AttrKind::kInt)
    .Infer(InferAvgPoolV2Grad)
    .Aten("aten::avg_pool2d_backward(grad, x, @ksize, @strides, @pads, @ceil_mode, true, @divisor_override) if exclusive=false")
    .Aten("aten::avg_pool2d_backward(grad, x, @ksize, @strides, @pads, @ceil_mode, false, @divisor_override) if exclusive=true");

}  // namespace ge
