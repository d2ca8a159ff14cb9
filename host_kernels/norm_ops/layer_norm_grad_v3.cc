// LayerNormGradV3: the gradients of LayerNormV4.
#include "host_kernels/norm_ops/norm_util.h"

namespace ge {
namespace {

Result<Types> InferLayerNormGradV3(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireNormOperands(c));
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, nn::MaskOf(c, "output_mask", 3));
  const auto parameter = [&](bool wanted, int port) { return wanted && c.has_input(port) ? c.input(port) : ValueType::Opaque(); };
  if (!c.has_input(5) && (mask[1] || mask[2]))  // eager raises on one of these, FakeTensor gives None
    return Unimplemented("LayerNormGradV3: gradients of absent parameters are asked for");
  if (!c.has_input(6) && mask[2]) return Unimplemented("LayerNormGradV3: the gradient of an absent beta is asked for");
  const auto plain = [](ValueType t) { return t.IsTensor() ? ValueType::Tensor(t.dtype(), t.shape()) : t; };
  return Types{mask[0] ? plain(c.input(1)) : ValueType::Opaque(), plain(parameter(mask[1], 5)), plain(parameter(mask[2], 6))};
}

}  // namespace

GE_DEFINE_OP(LayerNormGradV3)
    .Doc("Gradients of LayerNormV4 with respect to x, gamma and beta. A masked-out gradient is None.")
    .Input("dy", kFloatTypes)
    .Input("x", kFloatTypes)
    .Input("normalized_shape", kI64Type)
    .Input("mean", kFloatTypes)
    .Input("rstd", kFloatTypes)
    .OptionalInput("gamma", kFloatTypes)
    .OptionalInput("beta", kFloatTypes)
    .Output("pd_x")
    .Output("pd_gamma")
    .Output("pd_beta")
    .Required("output_mask", AttrKind::kAny)
    .Infer(InferLayerNormGradV3)
    .Aten("aten::native_layer_norm_backward(dy, x, #normalized_shape, mean, rstd, gamma, beta, @output_mask)");

}  // namespace ge
