// UpsampleNearest3d: nearest source element of three axes, its place rounded down.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferUpsampleNearest3d(const InferContext& c) { return nn::InferResize(c, 3); }

}  // namespace

GE_DEFINE_OP(UpsampleNearest3d)
    .Doc("Resizes the spatial axes of x to `size`: nearest source element of three axes, its place rounded down.")
    .Input("x", kFloatTypes)
    .Input("size", kI64Type)
    .Output("y", kFloatTypes)
    .Optional("scales_d", AttrKind::kFloat)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferUpsampleNearest3d)
    .Aten("aten::upsample_nearest3d(x, #size, @scales_d, @scales_h, @scales_w)");

}  // namespace ge
