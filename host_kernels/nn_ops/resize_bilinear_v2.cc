// ResizeBilinearV2: bilinear interpolation.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferResizeBilinearV2(const InferContext& c) { return nn::InferResize(c, 2); }

}  // namespace

GE_DEFINE_OP(ResizeBilinearV2)
    .Doc("Resizes the spatial axes of x to `size`: bilinear interpolation.")
    .Input("x", kFloatTypes)
    .Input("size", kI64Type)
    .Output("y", kFloatTypes)
    .Bool("align_corners", false)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Traits(kFollowsLayout)
    .Infer(InferResizeBilinearV2)
    .Aten("aten::upsample_bilinear2d(x, #size, @align_corners, @scales_h, @scales_w)");

}  // namespace ge
