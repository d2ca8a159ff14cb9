#pragma once
// Typed access to elements for reference kernels: a visitor over C++ types, and the wider type each one computes in.
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "ge_core/base/status.h"
#include "ge_core/base/str.h"
#include "ge_core/ir/dtype.h"

namespace ge::elem {

// float16, rounded once from float like c10::Half.
struct Half {
  _Float16 v;
  Half() = default;
  explicit Half(float f) : v(static_cast<_Float16>(f)) {}
  explicit operator float() const { return static_cast<float>(v); }
};

// bfloat16, round to nearest even; every NaN becomes 0x7fc0 like c10::BFloat16.
struct BFloat16 {
  uint16_t bits;
  BFloat16() = default;
  explicit BFloat16(float f) {
    uint32_t u;
    std::memcpy(&u, &f, 4);
    bits = std::isnan(f) ? uint16_t{0x7fc0} : static_cast<uint16_t>((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
  }
  explicit operator float() const {
    const uint32_t u = static_cast<uint32_t>(bits) << 16;
    float f;
    std::memcpy(&f, &u, 4);
    return f;
  }
};

template <typename T>
inline constexpr bool kIsSmallFloat = std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>;
template <typename T>
inline constexpr bool kIsFloat = kIsSmallFloat<T> || std::is_floating_point_v<T>;
template <typename T>
inline constexpr bool kIsComplex = std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>;

// The type an element is computed in: double, complex<double>, uint64_t for u64, else int64_t.
template <typename T>
using Wide = std::conditional_t<
    kIsFloat<T>, double,
    std::conditional_t<kIsComplex<T>, std::complex<double>, std::conditional_t<std::is_same_v<T, uint64_t>, uint64_t, int64_t>>>;

template <typename T>
Wide<T> Widen(T v) {
  if constexpr (kIsSmallFloat<T>)
    return static_cast<double>(static_cast<float>(v));
  else
    return static_cast<Wide<T>>(v);
}
template <typename T>
T Narrow(Wide<T> v) {
  if constexpr (kIsSmallFloat<T>)
    return T(static_cast<float>(v));
  else if constexpr (std::is_same_v<T, bool>)
    return v != 0;
  else
    return static_cast<T>(v);
}

template <typename T>
bool IsNan(T v) {
  if constexpr (kIsSmallFloat<T>)
    return std::isnan(static_cast<float>(v));
  else if constexpr (std::is_floating_point_v<T>)
    return std::isnan(v);
  else if constexpr (kIsComplex<T>)
    return std::isnan(v.real()) || std::isnan(v.imag());
  else
    return false;
}

// Integer arithmetic wraps, as in PyTorch; through unsigned because signed overflow is undefined.
template <typename W>
W WrapAdd(W a, W b) {
  if constexpr (std::is_integral_v<W>)
    return static_cast<W>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  else
    return a + b;
}
template <typename W>
W WrapMul(W a, W b) {
  if constexpr (std::is_integral_v<W>)
    return static_cast<W>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  else
    return a * b;
}

template <typename T>
struct Tag {
  using type = T;
};

// Calls fn(Tag<T>{}) with the C++ type of `t`. Real types and bool.
template <typename Fn>
Status VisitReal(DType t, std::string_view op, Fn&& fn) {
  switch (t) {
    case DType::kF32: return fn(Tag<float>{});
    case DType::kF16: return fn(Tag<Half>{});
    case DType::kBF16: return fn(Tag<BFloat16>{});
    case DType::kF64: return fn(Tag<double>{});
    case DType::kI8: return fn(Tag<int8_t>{});
    case DType::kI16: return fn(Tag<int16_t>{});
    case DType::kI32: return fn(Tag<int32_t>{});
    case DType::kI64: return fn(Tag<int64_t>{});
    case DType::kU8: return fn(Tag<uint8_t>{});
    case DType::kU16: return fn(Tag<uint16_t>{});
    case DType::kU32: return fn(Tag<uint32_t>{});
    case DType::kU64: return fn(Tag<uint64_t>{});
    case DType::kBool: return fn(Tag<bool>{});
    default: return Unimplemented(StrCat(op, ": the reference kernel does not compute in ", Name(t)));
  }
}
// The same, complex types too.
template <typename Fn>
Status VisitArithmetic(DType t, std::string_view op, Fn&& fn) {
  if (t == DType::kC64) return fn(Tag<std::complex<float>>{});
  if (t == DType::kC128) return fn(Tag<std::complex<double>>{});
  return VisitReal(t, op, std::forward<Fn>(fn));
}

}  // namespace ge::elem
