// UpsampleTrilinear3d: trilinear interpolation.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferUpsampleTrilinear3d(const InferContext& c) { return nn::InferResize(c, 3); }

}  // namespace

GE_DEFINE_OP(UpsampleTrilinear3d)
    .Doc("Resizes the spatial axes of x to `size`: trilinear interpolation.")
    .Input("x", kFloatTypes)
    .Input("size", kI64Type)
    .Output("y", kFloatTypes)
    .Bool("align_corners", false)
    .Optional("scales_d", AttrKind::kFloat)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferUpsampleTrilinear3d)
    .Aten("aten::upsample_trilinear3d(x, #size, @align_corners, @scales_d, @scales_h, @scales_w)");

}  // namespace ge
