// SoftmaxGrad: the gradient of SoftmaxV2 and SafeSoftmax.
#include "host_kernels/norm_ops/softmax_kernel.h"

namespace ge {
namespace {

Result<Types> InferSoftmaxGrad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  const Attr dtype = c.attr("input_dtype");
  const DType* wanted = dtype.Get<DType>();
  if (!wanted || *wanted != c.input(0).dtype()) return Unimplemented("SoftmaxGrad: input_dtype differs from the gradient's dtype");
  return nn::InferSoftmax(c);
}

}  // namespace

GE_DEFINE_OP(SoftmaxGrad)
    .Doc("softmax * (grad - sum(softmax * grad)) along one axis.")
    .Input("softmax", kFloatTypes)
    .Input("grad_softmax", kFloatTypes)
    .Output("y", kFloatTypes)
    .Int("axis", -1)
    .Required("input_dtype", AttrKind::kType)
    .Infer(InferSoftmaxGrad)
    .Aten("aten::_softmax_backward_data(grad_softmax, softmax, @axis, @input_dtype)");

}  // namespace ge
