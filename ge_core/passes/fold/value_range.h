#pragma once
// ValueRange: bounds of one integer (or bool) element, and how operators carry bounds from operands to results.
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "ge_core/ir/tensor.h"

namespace ge {

// lo <= element <= hi.
struct ValueRange {
  int64_t lo = 0, hi = 0;
  bool IsExact() const { return lo == hi; }
  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

// Everything that `dtype` holds. nullopt for floats, complex numbers, and u64, which does not fit.
GE_API std::optional<ValueRange> FullRange(DType dtype);

// How one operator treats ranges.
struct RangeRule {
  std::string_view op;
  // Element-wise: the range of a result element of type `result` from those of the operand elements. nullopt: it may be
  // anything, because it may wrap around or raise.
  std::optional<ValueRange> (*element)(std::span<const ValueRange> operands, DType result) = nullptr;
  // Moves elements, and changes none: the lower bounds move as the elements do, and so do the upper ones. Bit i: operand i
  // holds such elements; the other operands must be known exactly.
  uint32_t moves = 0;
};
inline constexpr uint32_t kMovesAll = ~0u;

GE_API std::span<const RangeRule> RangeRules();
// Null if there is none.
GE_API const RangeRule* FindRangeRule(std::string_view op);

// The elements of a tensor that FullRange knows, as ranges; and the lower (upper) ends as a tensor.
GE_API std::vector<ValueRange> RangesOf(const Tensor& tensor);
GE_API Tensor EndsOf(const ValueType& type, std::span<const ValueRange> ranges, bool upper);

}  // namespace ge
