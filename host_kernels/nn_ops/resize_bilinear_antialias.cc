// ResizeBilinearAntialias: bilinear interpolation with antialiasing.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferResizeBilinearAntialias(const InferContext& c) { return nn::InferResize(c, 2); }

}  // namespace

GE_DEFINE_OP(ResizeBilinearAntialias)
    .Doc("Resizes the spatial axes of x to `size`: bilinear interpolation with antialiasing.")
    .Input("x", kFloatTypes)
    .Input("size", kI64Type)
    .Output("y", kFloatTypes)
    .Bool("align_corners", false)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferResizeBilinearAntialias)
    .Aten("aten::_upsample_bilinear2d_aa(x, #size, @align_corners, @scales_h, @scales_w)");

}  // namespace ge
