// ResizeNearestExactGrad: the gradient of ResizeNearestExact.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferResizeNearestExactGrad(const InferContext& c) { return nn::InferResizeGrad(c, 2); }

}  // namespace

GE_DEFINE_OP(ResizeNearestExactGrad)
    .Doc("Gradient of ResizeNearestExact, of shape input_size, from grads of spatial extents `size`.")
    .Input("grads", kFloatTypes)
    .Input("size", kI64Type)
    .Input("input_size", kI64Type)
    .Output("y", kFloatTypes)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferResizeNearestExactGrad)
    .Aten("aten::_upsample_nearest_exact2d_backward(grads, #size, #input_size, @scales_h, @scales_w)");

}  // namespace ge
