// ScaledDotProductAttention: attention as PyTorch's composite operator, which picks its kernel when it runs.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferScaledDotProductAttention(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1, 2}));
  const Shape &q = c.input(0).shape(), &k = c.input(1).shape(), &v = c.input(2).shape();
  if (q.size() < 3 || k.size() != q.size() || v.size() != q.size())
    return Unimplemented("ScaledDotProductAttention: operands of different or small rank");
  for (size_t d = 0; d + 2 < q.size(); ++d)
    if (q[d] != k[d] || q[d] != v[d]) return Unimplemented("ScaledDotProductAttention: leading axes that are not equal");
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the head size of key", k.back(), q.back()));
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the length of value", v[v.size() - 2], k[k.size() - 2]));
  if (c.has_input(3) && c.input(3).rank() > static_cast<int64_t>(q.size()))
    return Unimplemented("ScaledDotProductAttention: a mask of higher rank");
  Shape y = q;
  y.back() = v.back();
  return Types{ValueType::Tensor(c.input(0).dtype(), std::move(y))};
}

}  // namespace

GE_DEFINE_OP(ScaledDotProductAttention)
    .Doc("softmax(query @ key^T * scale + atten_mask) @ value without dropout. An absent scale is 1 / sqrt(head size).")
    .Input("query", kFloatTypes)
    .Input("key", kFloatTypes)
    .Input("value", kFloatTypes)
    .OptionalInput("atten_mask", kFloatTypes | kBoolType)
    .Output("attention_out", kFloatTypes)
    .Optional("scale", AttrKind::kFloat)
    .Bool("is_causal", false)
    .Infer(InferScaledDotProductAttention)
    .Aten("aten::scaled_dot_product_attention(query, key, value, atten_mask, 0.0, @is_causal, @scale, false)");

}  // namespace ge
