#pragma once
// PyTorch's type promotion of a tensor with a Python number. The number takes part with its category only (bool < integer
// < float < complex): a tensor of the same or a higher category keeps its dtype.
#include "ge_core/ir/attr.h"

namespace ge::elewise {

// 0 bool, 1 integer, 2 float, 3 complex.
inline int Category(DType t) { return t == DType::kBool ? 0 : IsIntegral(t) ? 1 : IsComplex(t) ? 3 : 2; }
// The same for a kScalar attribute; -1 for anything else.
inline int Category(const Attr& scalar) {
  if (scalar.Is<bool>()) return 0;
  if (scalar.Is<int64_t>()) return 1;
  if (scalar.Is<double>()) return 2;
  return scalar.Is<std::complex<double>>() ? 3 : -1;
}

// Result dtype of an operation that computes in floating point: integers and bool become the default dtype, f32. (Under
// another torch.set_default_dtype the importer sees the difference in the metadata and keeps the fallback.)
inline DType ToFloat(DType t) { return Category(t) < 2 ? DType::kF32 : t; }

inline DType PromoteScalar(DType tensor, const Attr& scalar) {
  const int category = Category(scalar);
  if (category <= Category(tensor)) return tensor;
  if (category == 1) return DType::kI64;
  if (category == 2) return DType::kF32;
  switch (tensor) {
    case DType::kF64: return DType::kC128;
    case DType::kF16: return DType::kC32;
    default: return DType::kC64;
  }
}

// OK if `scalar` lies in the range of `dtype`. PyTorch wraps or raises outside, op by op: those stay with the fallback.
GE_API Status CheckScalarFits(const Attr& scalar, DType dtype, std::string_view name);

}  // namespace ge::elewise
