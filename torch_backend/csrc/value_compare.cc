#include "torch_backend/csrc/value_compare.h"

#include <cmath>

#include "ge_core/base/str.h"
#include "host_kernels/aten/tensor_slot.h"

namespace ge::torch_backend {
namespace {

// Rounding steps of the largest operand that a sum may be off by.
constexpr double kCancelled = 8;
// Operands beyond this are masks (-inf in disguise), no terms of a sum.
constexpr double kLargestTerm = 1e6;

std::string Shape(const at::Tensor& t) { return StrCat(c10::toString(t.scalar_type()), c10::str(t.sizes())); }

bool Comparable(const at::Tensor& t) {
  return t.defined() && t.layout() == at::kStrided && t.device().is_cpu() && !t.is_quantized() && !t.unsafeGetTensorImpl()->is_nested() &&
         aten::FromScalarType(t.scalar_type()).has_value() && t.scalar_type() != at::kFloat4_e2m1fn_x2;
}

// Share of the largest value, and the rounding step of 1.
std::pair<double, double> Tolerance(at::ScalarType type) {
  switch (type) {
    case at::kDouble:
    case at::kComplexDouble: return {1e-9, 0x1p-52};
    case at::kFloat:
    case at::kComplexFloat: return {1e-4, 0x1p-23};
    case at::kHalf:
    case at::kComplexHalf: return {1e-2, 0x1p-10};
    case at::kBFloat16: return {1e-2, 0x1p-7};
    default: return {0, 0};
  }
}

// In double, complex numbers as pairs.
at::Tensor Wide(const at::Tensor& t) {
  if (!t.is_complex()) return t.to(at::kDouble);
  return at::view_as_real(t.resolve_conj().resolve_neg().to(at::kComplexDouble));
}

double LargestFinite(const at::Tensor& wide) {
  if (wide.numel() == 0) return 0;
  const at::Tensor magnitude = wide.abs();
  return at::where(magnitude.isfinite(), magnitude, at::zeros({}, magnitude.options())).max().item<double>();
}

std::string Text(const at::Tensor& t, int64_t flat) {
  const at::Scalar v = t.contiguous().flatten()[flat].item();
  if (v.isComplex()) return c10::str(v.toComplexDouble());
  if (v.isBoolean()) return v.toBool() ? "True" : "False";
  if (v.isIntegral(false)) return std::to_string(v.toLong());
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", v.toDouble());
  return text;
}

std::string Number(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.3g", v);
  return text;
}

// `bad`: the elements that differ, in the shape of the tensors. `how`: what "differ" means here.
Difference Where(const at::Tensor& bad, const at::Tensor& expected, const at::Tensor& found, const std::string& how) {
  const int64_t flat = bad.flatten().to(at::kByte).argmax().item<int64_t>();
  std::vector<int64_t> index;
  int64_t rest = flat;
  for (int64_t d = bad.dim(); d-- > 0; rest /= bad.size(d)) index.insert(index.begin(), rest % bad.size(d));
  return StrCat(bad.sum().item<int64_t>(), " of ", bad.numel(), " elements ", how, "; first at ", c10::str(at::IntArrayRef(index)),
                ": expected ", Text(expected, flat), ", found ", Text(found, flat));
}

Difference CompareFloats(const at::Tensor& expected, const at::Tensor& found, std::span<const at::Tensor> operands) {
  const auto [share, step] = Tolerance(expected.scalar_type());
  const at::Tensor e = Wide(expected), f = Wide(found);
  double limit = share * LargestFinite(e);
  double term = 0;
  for (const at::Tensor& t : operands)
    if (Comparable(t) && (at::isFloatingType(t.scalar_type()) || t.is_complex()))
      if (const double largest = LargestFinite(Wide(t)); largest <= kLargestTerm) term = std::max(term, largest);
  limit = std::max(limit, kCancelled * step * term);
  // Where both are finite their difference counts; elsewhere they must be the same infinity, or both NaN.
  const at::Tensor gap = (e - f).abs();
  const at::Tensor finite = at::logical_and(e.isfinite(), f.isfinite());
  const at::Tensor same = at::logical_or(e == f, at::logical_and(e.isnan(), f.isnan()));
  at::Tensor bad = at::where(finite, gap > limit, at::logical_not(same));
  if (!bad.any().item<bool>()) return {};
  const double absolute = LargestFinite(at::where(finite, gap, at::zeros({}, gap.options())));
  const double relative = LargestFinite(at::where(finite, gap / e.abs().clamp_min(1e-300), at::zeros({}, gap.options())));
  if (expected.is_complex()) bad = bad.any(-1);
  return Where(
      bad, expected, found,
      StrCat("differ by more than ", Number(limit), " (largest difference ", Number(absolute), ", relative ", Number(relative), ")"));
}

Difference CompareTensors(at::Tensor expected, at::Tensor found, std::span<const at::Tensor> operands) {
  if (!Comparable(expected) || !Comparable(found)) return {};
  if (expected.scalar_type() != found.scalar_type() || expected.sizes() != found.sizes())
    return StrCat("expected ", Shape(expected), ", found ", Shape(found));
  if (expected.numel() == 0) return {};
  if (at::isFloatingType(expected.scalar_type()) || expected.is_complex()) return CompareFloats(expected, found, operands);
  // The unsigned types have few operators; their bits decide.
  if (expected.scalar_type() == at::kUInt16) expected = expected.view(at::kShort), found = found.view(at::kShort);
  if (expected.scalar_type() == at::kUInt32) expected = expected.view(at::kInt), found = found.view(at::kInt);
  if (expected.scalar_type() == at::kUInt64) expected = expected.view(at::kLong), found = found.view(at::kLong);
  const at::Tensor bad = expected != found;
  return bad.any().item<bool>() ? Where(bad, expected, found, "differ") : Difference();
}

}  // namespace

Observed Observe(const Slot& slot, bool copy) {
  Observed out;
  if (slot.kind == ValueType::Kind::kSym) {
    if (slot.dtype == DType::kBool)
      out.number = slot.sym.b;
    else if (slot.dtype == DType::kF64)
      out.number = slot.sym.f;
    else
      out.number = slot.sym.i;
    return out;
  }
  if (slot.kind != ValueType::Kind::kTensor || (slot.object && slot.object.ops() != &aten::kTensorOps)) return out;
  if (!slot.planned && !slot.object) return out;  // nobody filled it
  // Through a slot of our own: the run's slots stay as they are.
  Slot own;
  own.kind = slot.kind, own.dtype = slot.dtype, own.planned = slot.planned, own.ndim = slot.ndim;
  own.sizes = slot.sizes, own.strides = slot.strides, own.data = slot.data;
  if (!slot.planned) own.object = slot.object.Share();
  out.tensor = aten::GetTensor(own);
  if (copy && Comparable(out.tensor)) out.tensor = out.tensor.detach().clone();
  return out;
}

Difference Compare(const Observed& expected, const Observed& found, std::span<const at::Tensor> operands) {
  if (expected.number && found.number) {
    const at::Scalar &e = *expected.number, &f = *found.number;
    const bool equal = e.isFloatingPoint() || f.isFloatingPoint()
                           ? e.toDouble() == f.toDouble() || (std::isnan(e.toDouble()) && std::isnan(f.toDouble()))
                           : e.toLong() == f.toLong();
    return equal ? Difference() : StrCat("expected ", c10::str(e), ", found ", c10::str(f));
  }
  return expected.tensor.defined() && found.tensor.defined() ? CompareTensors(expected.tensor, found.tensor, operands) : Difference();
}

Difference CompareStrides(const at::Tensor& expected, const at::Tensor& found) {
  if (!Comparable(expected) || !Comparable(found) || expected.sizes() != found.sizes() || expected.numel() == 0) return {};
  for (int64_t d = 0; d < expected.dim(); ++d)
    if (expected.size(d) > 1 && expected.stride(d) != found.stride(d))
      return StrCat("expected strides ", c10::str(expected.strides()), ", found ", c10::str(found.strides()));
  return {};
}

}  // namespace ge::torch_backend
