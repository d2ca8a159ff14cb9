#pragma once
// Complex arithmetic as PyTorch's kernels do it: plain products and sums, without the rescue of infinities and NaN that the
// operators of std::complex add. R is the component type of the dtype: every step is rounded to it.
#include <cmath>
#include <complex>

namespace ge {

template <typename R>
std::complex<double> MulComplex(std::complex<double> x, std::complex<double> y) {
  const R a = static_cast<R>(x.real()), b = static_cast<R>(x.imag()), c = static_cast<R>(y.real()), d = static_cast<R>(y.imag());
  const R ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  return {ac - bd, ad + bc};
}

// a + alpha * b: what add and sub (alpha -1) of PyTorch are. Even alpha = 1 is multiplied: infinities turn into NaN, -0 into 0.
inline std::complex<double> AddScaled(std::complex<double> a, double alpha, std::complex<double> b) {
  return a + MulComplex<double>({alpha, 0.0}, b);
}

// 1 / z, scaled by the larger component.
inline std::complex<double> Reciprocal(std::complex<double> z) {
  const double c = z.real(), d = z.imag();
  if (std::abs(c) >= std::abs(d)) {
    if (c == 0 && d == 0) return {1 / std::abs(c), 0 / std::abs(d)};
    const double ratio = d / c, scale = 1 / (c + d * ratio);
    return {scale, -ratio * scale};
  }
  const double ratio = c / d, scale = 1 / (c * ratio + d);
  return {ratio * scale, -scale};
}

}  // namespace ge
