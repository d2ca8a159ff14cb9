// ResizeNearestExact: nearest source element by half-pixel centres.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferResizeNearestExact(const InferContext& c) { return nn::InferResize(c, 2); }

}  // namespace

GE_DEFINE_OP(ResizeNearestExact)
    .Doc("Resizes the spatial axes of x to `size`: nearest source element by half-pixel centres.")
    .Input("x", kFloatTypes)
    .Input("size", kI64Type)
    .Output("y", kFloatTypes)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferResizeNearestExact)
    .Aten("aten::_upsample_nearest_exact2d(x, #size, @scales_h, @scales_w)");

}  // namespace ge
