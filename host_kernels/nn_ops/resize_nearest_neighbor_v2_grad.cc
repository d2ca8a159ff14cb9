// ResizeNearestNeighborV2Grad: the gradient of ResizeNearestNeighborV2.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferResizeNearestNeighborV2Grad(const InferContext& c) { return nn::InferResizeGrad(c, 2); }

}  // namespace

GE_DEFINE_OP(ResizeNearestNeighborV2Grad)
    .Doc("Gradient of ResizeNearestNeighborV2, of shape input_size, from grads of spatial extents `size`.")
    .Input("grads", kFloatTypes)
    .Input("size", kI64Type)
    .Input("input_size", kI64Type)
    .Output("y", kFloatTypes)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferResizeNearestNeighborV2Grad)
    .Aten("aten::upsample_nearest2d_backward(grads, #size, #input_size, @scales_h, @scales_w)");

}  // namespace ge
