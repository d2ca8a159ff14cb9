#include "host_kernels/fused_attention/problem.h"

#include <algorithm>
#include <cmath>

#include "host_kernels/tensor_check.h"

namespace ge::attention {
namespace {

std::vector<int64_t> StridesOf(const ValueType& t) {
  std::vector<int64_t> s;
  for (const Dim& d : t.Strides()) s.push_back(d.value());
  return s;
}

}  // namespace

Result<Problem> Read(const Node& node) {
  Problem p;
  for (int i = 0; i < 3; ++i)
    if (std::string why = CheckTensor(StrCat("input ", i), node.input(i), DType::kF32); !why.empty()) return Unimplemented(why);
  if (std::string why = CheckTensor("output", node.output(), DType::kF32); !why.empty()) return Unimplemented(why);
  const ValueType &q = node.input(0)->type(), &k = node.input(1)->type(), &v = node.input(2)->type(), &y = node.output()->type();
  if (q.rank() != 4 || k.rank() != 4 || v.rank() != 4) return Unimplemented("expected (batch, heads, length, head size)");
  const auto extent = [](const ValueType& t, size_t i) { return t.shape()[i].value(); };
  if (node.attr("dropout_p").AsDouble().value_or(0) != 0) return Unimplemented("dropout");
  p.causal = node.Bool("is_causal");
  p.batch = extent(q, 0), p.heads = extent(q, 1), p.queries = extent(q, 2), p.size = extent(q, 3);
  p.keys = extent(k, 2), p.value_size = extent(v, 3);
  if (extent(k, 0) != p.batch || extent(v, 0) != p.batch || extent(k, 3) != p.size || extent(v, 2) != p.keys ||
      extent(v, 1) != extent(k, 1) || p.heads % extent(k, 1) != 0)
    return Unimplemented("batches or heads are broadcast");
  p.repeat = p.heads / extent(k, 1);
  p.scale = static_cast<float>(node.attr("scale").AsDouble().value_or(1 / std::sqrt(static_cast<double>(p.size))));
  const auto qs = StridesOf(q), ks = StridesOf(k), vs = StridesOf(v), ys = StridesOf(y);
  for (const auto* s : {&qs, &ks, &vs, &ys})
    if ((*s)[3] != 1) return Unimplemented("an operand is strided along the head");
  std::copy_n(qs.begin(), 3, p.q);
  std::copy_n(ks.begin(), 3, p.k);
  std::copy_n(vs.begin(), 3, p.v);
  std::copy_n(ys.begin(), 3, p.y);
  if (node.num_inputs() > 3 && node.input(3)) {
    if (p.causal) return Unimplemented("causal, and a mask");
    p.has_mask = true;
    p.mask_dtype = node.input(3)->type().dtype();
    if (p.mask_dtype != DType::kBool && p.mask_dtype != DType::kF32) return Unimplemented("the mask is neither bool nor f32");
    if (std::string why = CheckTensor("mask", node.input(3), p.mask_dtype); !why.empty()) return Unimplemented(why);
    const ValueType& m = node.input(3)->type();
    if (m.rank() > 4) return Unimplemented("the mask has more than 4 axes");
    const auto ms = StridesOf(m);
    const size_t missing = 4 - m.shape().size();
    const int64_t want[4] = {p.batch, p.heads, p.queries, p.keys};
    for (size_t i = 0; i < m.shape().size(); ++i) {
      if (extent(m, i) == 1) continue;
      if (extent(m, i) != want[missing + i]) return Unimplemented("the mask does not broadcast to the scores");
      p.mask[missing + i] = ms[i];
    }
  }
  if (node.num_outputs() > 1) {
    p.has_lse = true;
    if (std::string why = CheckTensor("softmax_lse", node.output(1), DType::kF32); !why.empty()) return Unimplemented(why);
    const ValueType& lse = node.output(1)->type();
    if (lse.rank() != 3 || extent(lse, 0) != p.batch || extent(lse, 1) != p.heads || extent(lse, 2) != p.queries)
      return Unimplemented("softmax_lse is not (batch, heads, queries)");
    std::copy_n(StridesOf(lse).begin(), 3, p.lse);
  }
  return p;
}

}  // namespace ge::attention
