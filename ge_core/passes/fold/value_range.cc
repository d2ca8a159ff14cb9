#include "ge_core/passes/fold/value_range.h"

#include <algorithm>
#include <limits>

namespace ge {
namespace {

using Operands = std::span<const ValueRange>;
using Range = std::optional<ValueRange>;
__extension__ typedef __int128 Wide;  // holds every sum and product of two int64

// nullopt where the result could wrap around.
Range Fit(Wide lo, Wide hi, DType dtype) {
  const Range full = FullRange(dtype);
  if (!full || dtype == DType::kBool || lo < full->lo || hi > full->hi) return std::nullopt;
  return ValueRange{static_cast<int64_t>(lo), static_cast<int64_t>(hi)};
}

template <typename F>
Range Corners(const ValueRange& a, const ValueRange& b, DType dtype, F f) {
  const Wide v[4] = {f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)};
  return Fit(*std::min_element(v, v + 4), *std::max_element(v, v + 4), dtype);
}

Wide FloorDivide(Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
bool MayBeZero(const ValueRange& r) { return r.lo <= 0 && r.hi >= 0; }

Range Add(Operands x, DType t) { return Fit(Wide(x[0].lo) + x[1].lo, Wide(x[0].hi) + x[1].hi, t); }
Range Sub(Operands x, DType t) { return Fit(Wide(x[0].lo) - x[1].hi, Wide(x[0].hi) - x[1].lo, t); }
Range Mul(Operands x, DType t) {
  return Corners(x[0], x[1], t, [](Wide a, Wide b) { return a * b; });
}
Range Neg(Operands x, DType t) { return Fit(-Wide(x[0].hi), -Wide(x[0].lo), t); }
Range Maximum(Operands x, DType) { return ValueRange{std::max(x[0].lo, x[1].lo), std::max(x[0].hi, x[1].hi)}; }
Range Minimum(Operands x, DType) { return ValueRange{std::min(x[0].lo, x[1].lo), std::min(x[0].hi, x[1].hi)}; }
Range FloorDiv(Operands x, DType t) {
  if (MayBeZero(x[1])) return std::nullopt;    // raises
  return Corners(x[0], x[1], t, FloorDivide);  // monotone in the dividend, and in a divisor of one sign
}
Range FloorMod(Operands x, DType t) {
  if (MayBeZero(x[1])) return std::nullopt;  // raises
  const ValueRange &a = x[0], &b = x[1];
  if (b.IsExact() && FloorDivide(a.lo, b.lo) == FloorDivide(a.hi, b.lo)) {  // one period
    const Wide base = FloorDivide(a.lo, b.lo) * b.lo;
    return Fit(a.lo - base, a.hi - base, t);
  }
  if (b.lo > 0) {
    if (a.lo >= 0) return Fit(a.hi < b.lo ? a.lo : 0, std::min(a.hi, b.hi - 1), t);
    return Fit(0, Wide(b.hi) - 1, t);
  }
  if (a.hi <= 0) return Fit(std::max(a.lo, b.lo + 1), a.lo > b.hi ? a.hi : 0, t);
  return Fit(Wide(b.lo) + 1, 0, t);
}

Range Truth(bool never, bool always) { return ValueRange{always, !never}; }
Range Less(Operands x, DType) { return Truth(x[0].lo >= x[1].hi, x[0].hi < x[1].lo); }
Range LessEqual(Operands x, DType) { return Truth(x[0].lo > x[1].hi, x[0].hi <= x[1].lo); }
Range Greater(Operands x, DType) { return Truth(x[0].hi <= x[1].lo, x[0].lo > x[1].hi); }
Range GreaterEqual(Operands x, DType) { return Truth(x[0].hi < x[1].lo, x[0].lo >= x[1].hi); }
Range Equal(Operands x, DType) { return Truth(x[0].hi < x[1].lo || x[1].hi < x[0].lo, x[0].IsExact() && x[0] == x[1]); }
Range NotEqual(Operands x, DType) { return Truth(x[0].IsExact() && x[0] == x[1], x[0].hi < x[1].lo || x[1].hi < x[0].lo); }

bool Always(const ValueRange& r) { return !MayBeZero(r); }
bool Never(const ValueRange& r) { return r == ValueRange{0, 0}; }
Range LogicalNot(Operands x, DType) { return Truth(Always(x[0]), Never(x[0])); }
Range LogicalAnd(Operands x, DType) { return Truth(Never(x[0]) || Never(x[1]), Always(x[0]) && Always(x[1])); }
Range LogicalOr(Operands x, DType) { return Truth(Never(x[0]) && Never(x[1]), Always(x[0]) || Always(x[1])); }

Range Cast(Operands x, DType t) { return t == DType::kBool ? Truth(Never(x[0]), Always(x[0])) : Fit(x[0].lo, x[0].hi, t); }
Range Select(Operands x, DType) {
  if (Always(x[0])) return x[1];
  if (Never(x[0])) return x[2];
  return ValueRange{std::min(x[1].lo, x[2].lo), std::max(x[1].hi, x[2].hi)};
}

constexpr RangeRule kRules[] = {
    {"Add", Add},
    {"Sub", Sub},
    {"Mul", Mul},
    {"Neg", Neg},
    {"Maximum", Maximum},
    {"Minimum", Minimum},
    {"FloorDiv", FloorDiv},
    {"FloorMod", FloorMod},
    {"Cast", Cast},
    {"SelectV2", Select},
    {"Less", Less},
    {"LessEqual", LessEqual},
    {"Greater", Greater},
    {"GreaterEqual", GreaterEqual},
    {"Equal", Equal},
    {"NotEqual", NotEqual},
    {"LogicalNot", LogicalNot},
    {"LogicalAnd", LogicalAnd},
    {"LogicalOr", LogicalOr},
    {"Identity", nullptr, 1},
    {"TensorMove", nullptr, 1},
    {"Reshape", nullptr, 1},
    {"FlattenV2", nullptr, 1},
    {"ExpandDims", nullptr, 1},
    {"Squeeze", nullptr, 1},
    {"SqueezeV2", nullptr, 1},
    {"SqueezeV3", nullptr, 1},
    {"Unsqueeze", nullptr, 1},
    {"UnsqueezeV2", nullptr, 1},
    {"UnsqueezeV3", nullptr, 1},
    {"GatherV2", nullptr, 1},
    {"Slice", nullptr, 1},
    {"SliceD", nullptr, 1},
    {"StridedSlice", nullptr, 1},
    {"StridedSliceV2", nullptr, 1},
    {"Unpack", nullptr, 1},
    {"ConcatV2", nullptr, kMovesAll},
    {"Pack", nullptr, kMovesAll},
};

// Calls f with a null pointer of the element type.
template <typename F>
void Visit(DType dtype, F f) {
  switch (dtype) {
    case DType::kI8: return f(static_cast<int8_t*>(nullptr));
    case DType::kI16: return f(static_cast<int16_t*>(nullptr));
    case DType::kI32: return f(static_cast<int32_t*>(nullptr));
    case DType::kI64: return f(static_cast<int64_t*>(nullptr));
    case DType::kBool:
    case DType::kU8: return f(static_cast<uint8_t*>(nullptr));
    case DType::kU16: return f(static_cast<uint16_t*>(nullptr));
    case DType::kU32: return f(static_cast<uint32_t*>(nullptr));
    default: GE_CHECK(false, "ranges of a dtype without ranges");
  }
}

}  // namespace

std::optional<ValueRange> FullRange(DType dtype) {
  if (dtype == DType::kBool) return ValueRange{0, 1};
  if (!IsIntegral(dtype) || dtype == DType::kU64) return std::nullopt;
  ValueRange out;
  Visit(dtype, [&]<typename T>(T*) { out = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()}; });
  return out;
}

std::span<const RangeRule> RangeRules() { return kRules; }

const RangeRule* FindRangeRule(std::string_view op) {
  for (const RangeRule& r : kRules)
    if (r.op == op) return &r;
  return nullptr;
}

std::vector<ValueRange> RangesOf(const Tensor& tensor) {
  std::vector<ValueRange> out;
  Visit(tensor.dtype(), [&]<typename T>(T*) {
    for (int64_t i = 0; i < tensor.num_elements(); ++i) {
      const T v = tensor.data<T>()[i];
      out.push_back({v, v});
    }
  });
  return out;
}

Tensor EndsOf(const ValueType& type, std::span<const ValueRange> ranges, bool upper) {
  Tensor out(ValueType::Tensor(type.dtype(), type.shape()));
  GE_CHECK(static_cast<size_t>(out.num_elements()) == ranges.size(), "one range for each element");
  Visit(type.dtype(), [&]<typename T>(T*) {
    for (size_t i = 0; i < ranges.size(); ++i) out.mutable_data<T>()[i] = static_cast<T>(upper ? ranges[i].hi : ranges[i].lo);
  });
  return out;
}

}  // namespace ge
