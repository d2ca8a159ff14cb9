#include "host_kernels/onednn/winograd_transform.h"

#include <bit>

#include "host_kernels/simd_clones.h"

namespace ge::onednn::winograd {

GE_SIMD_CLONES uint32_t TransformInput(const float* const* pixels, int64_t channels, float* v, int64_t plane) {
  const float *p0 = pixels[0], *p1 = pixels[1], *p2 = pixels[2], *p3 = pixels[3], *p4 = pixels[4], *p5 = pixels[5], *p6 = pixels[6],
              *p7 = pixels[7], *p8 = pixels[8], *p9 = pixels[9], *p10 = pixels[10], *p11 = pixels[11], *p12 = pixels[12],
              *p13 = pixels[13], *p14 = pixels[14], *p15 = pixels[15];
  uint32_t most = 0;
#pragma omp simd reduction(max : most)
  for (int64_t c = 0; c < channels; ++c) {
    const float d5 = p5[c], d6 = p6[c], d9 = p9[c], d10 = p10[c];
    const auto magnitude = [](float x) { return std::bit_cast<uint32_t>(x) & 0x7fffffffU; };
    const uint32_t a = magnitude(d5) > magnitude(d6) ? magnitude(d5) : magnitude(d6);
    const uint32_t b = magnitude(d9) > magnitude(d10) ? magnitude(d9) : magnitude(d10);
    most = most > a ? most : a;
    most = most > b ? most : b;
    // Rows of B^T d: 0 - 2, 1 + 2, 2 - 1, 1 - 3; then the same on columns.
    const float d8 = p8[c], d11 = p11[c], d4 = p4[c], d7 = p7[c];
    const float t00 = p0[c] - d8, t01 = p1[c] - d9, t02 = p2[c] - d10, t03 = p3[c] - d11;
    const float t10 = d4 + d8, t11 = d5 + d9, t12 = d6 + d10, t13 = d7 + d11;
    const float t20 = d8 - d4, t21 = d9 - d5, t22 = d10 - d6, t23 = d11 - d7;
    const float t30 = d4 - p12[c], t31 = d5 - p13[c], t32 = d6 - p14[c], t33 = d7 - p15[c];
    float* out = v + c;
    out[0 * plane] = t00 - t02, out[1 * plane] = t01 + t02, out[2 * plane] = t02 - t01, out[3 * plane] = t01 - t03;
    out[4 * plane] = t10 - t12, out[5 * plane] = t11 + t12, out[6 * plane] = t12 - t11, out[7 * plane] = t11 - t13;
    out[8 * plane] = t20 - t22, out[9 * plane] = t21 + t22, out[10 * plane] = t22 - t21, out[11 * plane] = t21 - t23;
    out[12 * plane] = t30 - t32, out[13 * plane] = t31 + t32, out[14 * plane] = t32 - t31, out[15 * plane] = t31 - t33;
  }
  return most;
}

void TransformFilter(const float* g, float* u) {
  double rows[4][3];  // G g
  for (int j = 0; j < 3; ++j) {
    const double a = g[j], b = g[3 + j], c = g[6 + j];
    rows[0][j] = a, rows[1][j] = (a + b + c) / 2, rows[2][j] = (a - b + c) / 2, rows[3][j] = c;
  }
  for (int i = 0; i < 4; ++i) {
    const double a = rows[i][0], b = rows[i][1], c = rows[i][2];
    u[i * 4] = static_cast<float>(a);
    u[i * 4 + 1] = static_cast<float>((a + b + c) / 2);
    u[i * 4 + 2] = static_cast<float>((a - b + c) / 2);
    u[i * 4 + 3] = static_cast<float>(c);
  }
}

GE_SIMD_CLONES void TransformOutput(const float* m, int64_t plane, const float* bias, int64_t channels, float* const* rows) {
  float *y0 = rows[0], *y1 = rows[1], *y2 = rows[2], *y3 = rows[3];
#pragma omp simd
  for (int64_t c = 0; c < channels; ++c) {
    const float* in = m + c;
    // Rows of A^T m: 0 + 1 + 2, 1 - 2 - 3; then the same on columns.
    const float s0 = in[0 * plane] + in[4 * plane] + in[8 * plane], s1 = in[1 * plane] + in[5 * plane] + in[9 * plane];
    const float s2 = in[2 * plane] + in[6 * plane] + in[10 * plane], s3 = in[3 * plane] + in[7 * plane] + in[11 * plane];
    const float r0 = in[4 * plane] - in[8 * plane] - in[12 * plane], r1 = in[5 * plane] - in[9 * plane] - in[13 * plane];
    const float r2 = in[6 * plane] - in[10 * plane] - in[14 * plane], r3 = in[7 * plane] - in[11 * plane] - in[15 * plane];
    const float b = bias ? bias[c] : 0.0F;
    y0[c] = s0 + s1 + s2 + b;
    y1[c] = s1 - s2 - s3 + b;
    y2[c] = r0 + r1 + r2 + b;
    y3[c] = r1 - r2 - r3 + b;
  }
}

GE_SIMD_CLONES void AddRow(float* row, const float* other, int64_t channels) {
#pragma omp simd
  for (int64_t c = 0; c < channels; ++c) row[c] += other[c];
}

GE_SIMD_CLONES void ClampRow(float* row, float low, float high, int64_t channels) {
#pragma omp simd
  for (int64_t c = 0; c < channels; ++c) {
    const float x = row[c], raised = x < low ? low : x;
    row[c] = raised > high ? high : raised;
  }
}

}  // namespace ge::onednn::winograd
