// AvgPool3DGrad: the gradient of average pooling over 3 spatial axes.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferAvgPool3DGrad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  return Types{ValueType::Tensor(c.input(1).dtype(), c.input(1).shape())};
}

}  // namespace

GE_DEFINE_OP(AvgPool3DGrad)
    .Doc("Spreads each element of grad evenly over its window.")
    .Input("grad", TypesOf(DType::kF32, DType::kF64))
    .Input("x", TypesOf(DType::kF32, DType::kF64))
    .Output("y", TypesOf(DType::kF32, DType::kF64))
    .Required("ksize", AttrKind::kInts)
    .Optional("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Bool("ceil_mode", false)
    .Bool("exclusive", true)
    .Optional("divisor_override", AttrKind::kInt)
    .Infer(InferAvgPool3DGrad)
    .Aten("aten::avg_pool3d_backward(grad, x, @ksize, @strides, @pads, @ceil_mode, true, @divisor_override) if exclusive=false")
    .Aten("aten::avg_pool3d_backward(grad, x, @ksize, @strides, @pads, @ceil_mode, false, @divisor_override) if exclusive=true");

}  // namespace ge
