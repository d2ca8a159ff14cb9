// ScaledDotProductAttention and FusedInferAttentionScore of one query position (decoding), f32: one pass over the keys and one
// over the values of each head, both as they lie (a cache, a transposed view).
#include <algorithm>
#include <cmath>

#include "host_kernels/fused_attention/softmax_row.h"
#include "host_kernels/simd/kernels.h"

namespace ge::simd {
namespace {

using attention::Problem;

GE_SIMD_CLONES void Scores(const Problem& p, const float* q, const float* k, float* s) {
  for (int64_t t = 0; t < p.keys; ++t) {
    const float* key = k + t * p.k[2];
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < p.size; ++i) sum += q[i] * key[i];
    s[t] = sum;
  }
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
                    Scores(p_, reinterpret_cast<const float*>(at(q, b * p_.q[0] + h * p_.q[1])),
                           reinterpret_cast<const float*>(at(k, b * p_.k[0] + kv * p_.k[1])), s);
                    float largest = 0;
                    const float total = attention::SoftmaxRow(p_, m, p_.keys, s, &largest);
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
  GE_ASSIGN_OR_RETURN(const Problem p, attention::Read(node));
  if (p.queries != 1) return Unimplemented("more than one query position");
  if (p.causal) return Unimplemented("causal");
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
