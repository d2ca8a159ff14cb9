// ResizeBilinearV2Grad: the gradient of ResizeBilinearV2.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferResizeBilinearV2Grad(const InferContext& c) { return nn::InferResizeGrad(c, 2); }

}  // namespace

GE_DEFINE_OP(ResizeBilinearV2Grad)
    .Doc("Gradient of ResizeBilinearV2, of shape input_size, from grads of spatial extents `size`.")
    .Input("grads", kFloatTypes)
    .Input("size", kI64Type)
    .Input("input_size", kI64Type)
    .Output("y", kFloatTypes)
    .Bool("align_corners", false)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferResizeBilinearV2Grad)
    .Aten("aten::upsample_bilinear2d_backward(grads, #size, #input_size, @align_corners, @scales_h, @scales_w)");

}  // namespace ge
