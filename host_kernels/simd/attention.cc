// ScaledDotProductAttention and FusedInferAttentionScore of one query position (decoding), f32: one pass over the keys and one
// over the values of each head, both as they lie (a cache, a transposed view).
#include <algorithm>
#include <cmath>
#include <limits>

#include "host_kernels/simd/exp.h"
#include "host_kernels/simd/kernels.h"

namespace ge::simd {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct Problem {
  int64_t batch = 0, heads = 0, keys = 0, size = 0, value_size = 0, repeat = 1;  // repeat: query heads a key head
  float scale = 1;
  // Strides in elements: batch, head, position; the innermost is 1.
  int64_t q[2] = {}, k[3] = {}, v[3] = {}, y[2] = {}, lse[2] = {};
  int64_t mask[3] = {};  // 0 where broadcast
  DType mask_dtype = DType::kF32;
  bool has_mask = false, has_lse = false;
};

// Scores of one query against all keys, then their exponentials in place. Returns the sum; largest: the maximum before.
GE_SIMD_CLONES float Scores(const Problem& p, const float* q, const float* k, const void* mask, float* s, float* largest) {
  for (int64_t t = 0; t < p.keys; ++t) {
    const float* key = k + t * p.k[2];
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < p.size; ++i) sum += q[i] * key[i];
    s[t] = sum * p.scale;
  }
  if (mask && p.mask_dtype == DType::kBool) {
    for (int64_t t = 0; t < p.keys; ++t) s[t] += static_cast<const uint8_t*>(mask)[t * p.mask[2]] ? 0.0F : -kInfinity;
  } else if (mask) {
    for (int64_t t = 0; t < p.keys; ++t) s[t] += static_cast<const float*>(mask)[t * p.mask[2]];
  }
  float most = -kInfinity, nan = 0;
#pragma omp simd reduction(max : most) reduction(+ : nan)
  for (int64_t t = 0; t < p.keys; ++t) {
    most = s[t] > most ? s[t] : most;
    nan += s[t] == s[t] ? 0.0F : 1.0F;
  }
  if (nan > 0) most = std::numeric_limits<float>::quiet_NaN();
  *largest = most;
  if (most == -kInfinity) {  // every key is masked: the result is 0
    std::fill(s, s + p.keys, 0.0F);
    return 0;
  }
  float total = 0;
#pragma omp simd reduction(+ : total)
  for (int64_t t = 0; t < p.keys; ++t) {
    s[t] = Exp(s[t] - most);
    total += s[t];
  }
  return total;
}

GE_SIMD_CLONES void Combine(const Problem& p, const float* s, float total, const float* v, float* y) {
  std::fill(y, y + p.value_size, 0.0F);
  const float factor = total == 0 ? 0.0F : 1.0F / total;
  for (int64_t t = 0; t < p.keys; ++t) {
    const float* value = v + t * p.v[2];
    const float weight = s[t] * factor;
#pragma omp simd
    for (int64_t i = 0; i < p.value_size; ++i) y[i] += weight * value[i];
  }
}

class Attention : public Executable {
 public:
  explicit Attention(const Problem& problem) : p_(problem) {}
  int64_t workspace_bytes() const override { return p_.batch * p_.heads * p_.keys * 4; }

  Status Run(KernelContext& context) const override {
    GE_ASSIGN_OR_RETURN(const char* const q, Data(context.inputs, 0));
    GE_ASSIGN_OR_RETURN(const char* const k, Data(context.inputs, 1));
    GE_ASSIGN_OR_RETURN(const char* const v, Data(context.inputs, 2));
    const char* mask = nullptr;
    if (p_.has_mask) { GE_ASSIGN_OR_RETURN(mask, Data(context.inputs, 3)); }
    GE_ASSIGN_OR_RETURN(char* const y, Data(context.outputs, 0));
    char* lse = nullptr;
    if (p_.has_lse) { GE_ASSIGN_OR_RETURN(lse, Data(context.outputs, 1)); }
    const auto at = [](const char* data, int64_t elements, int64_t bytes = 4) { return data + elements * bytes; };
    ParallelFor(context.num_threads, p_.batch * p_.heads, 2.0 * static_cast<double>(p_.batch * p_.heads * p_.keys * p_.size),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    const int64_t b = i / p_.heads, h = i % p_.heads, kv = h / p_.repeat;
                    float* s = reinterpret_cast<float*>(context.workspace) + i * p_.keys;
                    const void* m = mask ? at(mask, b * p_.mask[0] + h * p_.mask[1], p_.mask_dtype == DType::kBool ? 1 : 4) : nullptr;
                    float largest = 0;
                    const float total = Scores(p_, reinterpret_cast<const float*>(at(q, b * p_.q[0] + h * p_.q[1])),
                                               reinterpret_cast<const float*>(at(k, b * p_.k[0] + kv * p_.k[1])), m, s, &largest);
                    Combine(p_, s, total, reinterpret_cast<const float*>(at(v, b * p_.v[0] + kv * p_.v[1])),
                            reinterpret_cast<float*>(y) + b * p_.y[0] + h * p_.y[1]);
                    if (lse) reinterpret_cast<float*>(lse)[b * p_.lse[0] + h * p_.lse[1]] = largest + std::log(total);
                  }
                });
    return {};
  }

 private:
  Problem p_;
};

Result<Problem> Read(const Node& node) {
  Problem p;
  for (int i = 0; i < 3; ++i)
    if (std::string why = CheckTensor(StrCat("input ", i), node.input(i), DType::kF32); !why.empty()) return Unimplemented(why);
  if (std::string why = CheckTensor("output", node.output(), DType::kF32); !why.empty()) return Unimplemented(why);
  const ValueType &q = node.input(0)->type(), &k = node.input(1)->type(), &v = node.input(2)->type(), &y = node.output()->type();
  if (q.rank() != 4 || k.rank() != 4 || v.rank() != 4) return Unimplemented("expected (batch, heads, length, head size)");
  const auto extent = [](const ValueType& t, size_t i) { return t.shape()[i].value(); };
  if (extent(q, 2) != 1) return Unimplemented("more than one query position");
  if (node.Bool("is_causal")) return Unimplemented("causal");
  if (node.attr("dropout_p").AsDouble().value_or(0) != 0) return Unimplemented("dropout");
  p.batch = extent(q, 0), p.heads = extent(q, 1), p.size = extent(q, 3), p.keys = extent(k, 2), p.value_size = extent(v, 3);
  if (extent(k, 0) != p.batch || extent(v, 0) != p.batch || extent(k, 3) != p.size || extent(v, 2) != p.keys ||
      extent(v, 1) != extent(k, 1) || p.heads % extent(k, 1) != 0)
    return Unimplemented("batches or heads are broadcast");
  p.repeat = p.heads / extent(k, 1);
  p.scale = static_cast<float>(node.attr("scale").AsDouble().value_or(1 / std::sqrt(static_cast<double>(p.size))));
  const auto strides = [](const ValueType& t) {
    std::vector<int64_t> s;
    for (const Dim& d : t.Strides()) s.push_back(d.value());
    return s;
  };
  const auto qs = strides(q), ks = strides(k), vs = strides(v), ys = strides(y);
  for (const auto* s : {&qs, &ks, &vs, &ys})
    if ((*s)[3] != 1) return Unimplemented("an operand is strided along the head");
  std::copy_n(qs.begin(), 2, p.q);
  std::copy_n(ks.begin(), 3, p.k);
  std::copy_n(vs.begin(), 3, p.v);
  std::copy_n(ys.begin(), 2, p.y);
  if (node.num_inputs() > 3 && node.input(3)) {
    p.has_mask = true;
    p.mask_dtype = node.input(3)->type().dtype();
    if (p.mask_dtype != DType::kBool && p.mask_dtype != DType::kF32) return Unimplemented("the mask is neither bool nor f32");
    if (std::string why = CheckTensor("mask", node.input(3), p.mask_dtype); !why.empty()) return Unimplemented(why);
    const ValueType& m = node.input(3)->type();
    if (m.rank() > 4) return Unimplemented("the mask has more than 4 axes");
    const auto ms = strides(m);
    const size_t missing = 4 - m.shape().size();
    const int64_t want[4] = {p.batch, p.heads, 1, p.keys};
    for (size_t i = 0; i < m.shape().size(); ++i) {
      if (extent(m, i) == 1) continue;
      if (extent(m, i) != want[missing + i]) return Unimplemented("the mask does not broadcast to the scores");
      p.mask[missing + i < 2 ? missing + i : 2] = ms[i];
    }
  }
  if (node.num_outputs() > 1) {
    p.has_lse = true;
    if (std::string why = CheckTensor("softmax_lse", node.output(1), DType::kF32); !why.empty()) return Unimplemented(why);
    const auto ls = strides(node.output(1)->type());
    if (ls.size() != 3 || extent(node.output(1)->type(), 0) != p.batch || extent(node.output(1)->type(), 1) != p.heads)
      return Unimplemented("softmax_lse is not (batch, heads, 1)");
    std::copy_n(ls.begin(), 2, p.lse);
  }
  return p;
}

Support Supports(const Node& node) {
  auto p = Read(node);
  return p.ok() ? Support::Yes() : Support::No(StrCat(node.op().name, ": ", p.message()));
}

Result<std::unique_ptr<Executable>> Load(const Node& node) {
  GE_ASSIGN_OR_RETURN(const Problem p, Read(node));
  return std::unique_ptr<Executable>(std::make_unique<Attention>(p));
}

}  // namespace

const OpRow kAttentionRow{"ScaledDotProductAttention", Supports, Load};
const OpRow kFlashAttentionRow{"FusedInferAttentionScore", Supports, Load};

}  // namespace ge::simd
