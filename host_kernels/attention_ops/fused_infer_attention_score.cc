// FusedInferAttentionScore: scaled dot-product attention with its log-sum-exp (ATen's flash attention on the CPU).
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferFusedInferAttentionScore(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 2}));
  for (int i : {0, 1, 2}) GE_RETURN_IF_ERROR(nn::RequireRank(c, i, 4));
  if (c.Float("dropout_p") != 0) return Unimplemented("FusedInferAttentionScore: dropout");
  const Shape &q = c.input(0).shape(), &k = c.input(1).shape(), &v = c.input(2).shape();
  for (const Shape* s : {&k, &v}) {
    GE_RETURN_IF_ERROR(nn::RequireDim(c, "the batch of key or value", (*s)[0], q[0]));
    GE_RETURN_IF_ERROR(nn::RequireDim(c, "the head size of key or value", (*s)[3], q[3]));
    GE_RETURN_IF_ERROR(nn::RequireDim(c, "the length of key or value", (*s)[2], k[2]));
  }
  const DType t = c.input(0).dtype();
  const DType statistics = t == DType::kF64 ? t : DType::kF32;
  return Types{ValueType::Tensor(t, q), ValueType::Tensor(statistics, {q[0], q[1], q[2]})};
}

}  // namespace

GE_DEFINE_OP(FusedInferAttentionScore)
    .Doc(
        "softmax(query @ key^T * scale + atten_mask) @ value over (batch, heads, length, head size), and the log-sum-exp of each row. An "
        "absent "
        "scale is 1 / sqrt(head size). Heads of key and value repeat where they are fewer.")
    .Input("query", kFloatTypes)
    .Input("key", kFloatTypes)
    .Input("value", kFloatTypes)
    .OptionalInput("atten_mask", kFloatTypes | kBoolType)
    .Output("attention_out", kFloatTypes)
    .Output("softmax_lse", kFloatTypes)
    .Optional("scale", AttrKind::kFloat)
    .Bool("is_causal", false)
    .Float("dropout_p", 0)
    .Infer(InferFusedInferAttentionScore)
    .Aten("aten::_scaled_dot_product_flash_attention_for_cpu(query, key, value, @dropout_p, @is_causal, atten_mask, @scale)");

}  // namespace ge
