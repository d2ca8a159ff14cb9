#include "host_kernels/fused_attention/softmax_row.h"

#include <algorithm>
#include <limits>

#include "host_kernels/fused_attention/exp.h"
#include "host_kernels/simd_clones.h"

namespace ge::attention {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

GE_SIMD_CLONES float SoftmaxRow(const Problem& p, const void* mask, int64_t count, float* s, float* largest) {
  const float scale = p.scale;
  if (!mask) {
#pragma omp simd
    for (int64_t t = 0; t < count; ++t) s[t] *= scale;
  } else if (p.mask_dtype == DType::kBool) {
    const auto* bits = static_cast<const uint8_t*>(mask);
    for (int64_t t = 0; t < count; ++t) s[t] = s[t] * scale + (bits[t * p.mask[3]] ? 0.0F : -kInfinity);
  } else {
    const auto* terms = static_cast<const float*>(mask);
    for (int64_t t = 0; t < count; ++t) s[t] = s[t] * scale + terms[t * p.mask[3]];
  }
  float most = -kInfinity, nan = 0;
#pragma omp simd reduction(max : most) reduction(+ : nan)
  for (int64_t t = 0; t < count; ++t) {
    most = s[t] > most ? s[t] : most;
    nan += s[t] == s[t] ? 0.0F : 1.0F;
  }
  if (nan > 0) most = std::numeric_limits<float>::quiet_NaN();
  *largest = most;
  if (most == -kInfinity) {
    std::fill(s, s + count, 0.0F);
    return 0;
  }
  float total = 0;
#pragma omp simd reduction(+ : total)
  for (int64_t t = 0; t < count; ++t) {
    s[t] = Exp(s[t] - most);
    total += s[t];
  }
  return total;
}

GE_SIMD_CLONES void ScaleRow(float* row, float factor, int64_t count) {
#pragma omp simd
  for (int64_t i = 0; i < count; ++i) row[i] *= factor;
}

}  // namespace ge::attention
