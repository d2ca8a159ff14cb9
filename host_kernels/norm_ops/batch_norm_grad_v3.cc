// BatchNormGradV3: the gradients of the batch normalisations.
#include "host_kernels/norm_ops/batch_norm_kernel.h"

namespace ge {
namespace {

Result<Types> InferBatchNormGradV3(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireNormOperands(c));
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, nn::MaskOf(c, "output_mask", 3));
  if (!mask[0]) return Unimplemented("BatchNormGradV3: without the gradient of x FakeTensor and the CPU kernel disagree on the results");
  if (!c.has_input(2) && (mask[1] || mask[2])) return Unimplemented("BatchNormGradV3: gradients of absent parameters are asked for");
  const ValueType& x = c.input(1);
  if (x.rank() < 2) return InvalidArgument(StrCat("BatchNormGradV3: x is ", ToString(x), ", expected at least batch and channel axes"));
  const ValueType parameter = ValueType::Tensor(x.dtype(), {x.shape()[1]});
  return Types{ValueType::Tensor(x.dtype(), x.shape()), mask[1] ? parameter : ValueType::Opaque(),
               mask[2] ? parameter : ValueType::Opaque()};
}

}  // namespace

GE_DEFINE_OP(BatchNormGradV3)
    .Doc("Gradients of BatchNormV3, BatchNorm and BNInfer with respect to x, weight and bias. A masked-out gradient is None.")
    .Input("dy", kFloatTypes)
    .Input("x", kFloatTypes)
    .OptionalInput("weight", kFloatTypes)
    .OptionalInput("running_mean", kFloatTypes)
    .OptionalInput("running_var", kFloatTypes)
    .OptionalInput("save_mean", kFloatTypes)
    .OptionalInput("save_rstd", kFloatTypes)
    .Output("dx")
    .Output("dweight")
    .Output("dbias")
    .Required("is_training", AttrKind::kBool)
    .Required("epsilon", AttrKind::kFloat)
    .Required("output_mask", AttrKind::kAny)
    .Infer(InferBatchNormGradV3)
    .Aten(
        "aten::native_batch_norm_backward(dy, x, weight, running_mean, running_var, save_mean, save_rstd, @is_training, @epsilon, "
        "@output_mask)");

}  // namespace ge
