// ResizeBicubicV2Grad: the gradient of ResizeBicubicV2.
#include "host_kernels/nn_ops/resize.h"

namespace ge {
namespace {

Result<Types> InferResizeBicubicV2Grad(const InferContext& c) { return nn::InferResizeGrad(c, 2); }

}  // namespace

GE_DEFINE_OP(ResizeBicubicV2Grad)
    .Doc("Gradient of ResizeBicubicV2, of shape input_size, from grads of spatial extents `size`.")
    .Input("grads", kFloatTypes)
    .Input("size", kI64Type)
    .Input("input_size", kI64Type)
    .Output("y", kFloatTypes)
    .Bool("align_corners", false)
    .Optional("scales_h", AttrKind::kFloat)
    .Optional("scales_w", AttrKind::kFloat)
    .Infer(InferResizeBicubicV2Grad)
    .Aten("aten::upsample_bicubic2d_backward(grads, #size, #input_size, @align_corners, @scales_h, @scales_w)");

}  // namespace ge
