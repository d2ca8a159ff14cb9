// LogSoftmaxGrad: the gradient of LogSoftmaxV2.
#include "host_kernels/norm_ops/softmax_kernel.h"

namespace ge {
namespace {

Result<Types> InferLogSoftmaxGrad(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  const Attr dtype = c.attr("input_dtype");
  const DType* wanted = dtype.Get<DType>();
  if (!wanted || *wanted != c.input(0).dtype()) return Unimplemented("LogSoftmaxGrad: input_dtype differs from the gradient's dtype");
  return nn::InferSoftmax(c);
}

}  // namespace

GE_DEFINE_OP(LogSoftmaxGrad)
    .Doc("grad - exp(x) * sum(grad) along one axis; x is the log-softmax.")
    .Input("grad", kFloatTypes)
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Int("axis", -1)
    .Required("input_dtype", AttrKind::kType)
    .Infer(InferLogSoftmaxGrad)
    .Aten("aten::_log_softmax_backward_data(grad, x, @axis, @input_dtype)");

}  // namespace ge
