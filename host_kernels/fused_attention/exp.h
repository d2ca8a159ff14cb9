#pragma once
// exp for loops that the compiler vectorises.
#include <bit>
#include <cstdint>
#include <limits>

namespace ge::attention {

// e^x within 2 units in the last place; 0 below -87.34 (a subnormal result is flushed), inf above 88.72, NaN stays.
// x = n ln 2 + r, |r| <= ln 2 / 2 (Cody and Waite's two-part ln 2); e^r by its Taylor polynomial of degree 7, whose remainder is
// below 2^-27.
inline float Exp(float x) {
  const float bounded = x < -87.336F ? -87.336F : x > 88.722F ? 88.722F : x;  // a NaN passes: both comparisons are false
  const float n = (bounded * 1.44269504F + 12582912.0F) - 12582912.0F;        // rounds to an integer: the sum has no bits below 1
  const float r = (bounded - n * 0.693359375F) - n * -2.12194440e-4F;
  float p = 1.0F / 5040;
  p = p * r + 1.0F / 720;
  p = p * r + 1.0F / 120;
  p = p * r + 1.0F / 24;
  p = p * r + 1.0F / 6;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  // 2^n in two factors: n may be 128.
  const int32_t whole = n == n ? static_cast<int32_t>(n) : 0;
  const int32_t half = whole / 2;
  const float a = std::bit_cast<float>((half + 127) << 23), b = std::bit_cast<float>((whole - half + 127) << 23);
  const float y = p * a * b;
  return x < -87.336F ? 0.0F : x > 88.722F ? std::numeric_limits<float>::infinity() : y;
}

}  // namespace ge::attention
