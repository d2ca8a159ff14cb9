// ResizeBilinearAntialiasGrad: the gradient of ResizeBilinearAntialias.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferResizeBilinearAntialiasGrad(const InferContext& c) { return nn::InferResizeGrad(c, 2); }

}  // namespace

GE_DEFINE_OP(ResizeBilinearAntialiasGrad)
    .Doc("Gradient of ResizeBilinearAntialias, of shape input_size, from grads of spatial extents `size`.")
    .Input("grads", kFloatTypes)
    .Input("size", kI64Type)
    .Input("input_size", kI64Type)
    .Output("y", kFloatTypes)
    .Bool("align_corners", false)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferResizeBilinearAntialiasGrad)
    .Aten("aten::_upsample_bilinear2d_aa_backward(grads, #size, #input_size, @align_corners, @scales_h, @scales_w)");

}  // namespace ge
