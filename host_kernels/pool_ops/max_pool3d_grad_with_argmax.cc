// MaxPool3DGradWithArgmax: the gradient of max pooling over 3 spatial axes.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferMaxPool3DGradWithArgmax(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  return Types{ValueType::Tensor(c.input(1).dtype(), c.input(1).shape())};
}

}  // namespace

GE_DEFINE_OP(MaxPool3DGradWithArgmax)
    .Doc("Adds each element of grad to the place of its window's maximum, as argmax says.")
    .Input("grad", kFloatTypes)
    .Input("x", kFloatTypes)
    .Input("argmax", kI64Type)
    .Output("y", kFloatTypes)
    .Required("ksize", AttrKind::kInts)
    .Optional("strides", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Required("dilation", AttrKind::kInts)
    .Bool("ceil_mode", false)
    .Infer(InferMaxPool3DGradWithArgmax)
    .Aten("aten::max_pool3d_with_indices_backward(grad, x, @ksize, @strides, @pads, @dilation, @ceil_mode, argmax)");

}  // namespace ge
