#pragma once
// Dim: one extent of a shape. An integer, unknown ("?"), or a canonical integer expression over input symbols
// (+ - * // % min max). Two expressions are equal exactly if they are structurally equal after canonicalisation:
// sums of products with sorted terms, constants folded.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ge_core/base/status.h"

namespace ge {

class GE_API Dim {
 public:
  Dim() = default;                       // 0
  Dim(int64_t value) : value_(value) {}  // NOLINT: a dim is most often a number
  static Dim Unknown();
  static Dim Symbol(std::string_view name);  // "s0", "u1"
  // Reads the printed form, e.g. "s0", "2*s0+1", "(s0+1)//2", "max(1,s0)". Errors name the column (1-based).
  static Result<Dim> Parse(std::string_view text);

  bool IsConst() const { return !node_; }
  bool IsUnknown() const;
  bool IsSymbolic() const { return node_ && !IsUnknown(); }
  int64_t value() const {
    GE_CHECK(IsConst(), "Dim::value of a symbolic dim");
    return value_;
  }
  bool Is(int64_t v) const { return IsConst() && value_ == v; }

  // Arithmetic. Unknown is contagious, except Unknown * 0 == 0. FloorDiv and Mod round like Python's // and %;
  // a constant zero divisor gives Unknown.
  friend GE_API Dim operator+(const Dim& a, const Dim& b);
  friend GE_API Dim operator-(const Dim& a, const Dim& b);
  friend GE_API Dim operator*(const Dim& a, const Dim& b);
  static Dim FloorDiv(const Dim& a, const Dim& b);
  static Dim Mod(const Dim& a, const Dim& b);
  static Dim Min(const Dim& a, const Dim& b);
  static Dim Max(const Dim& a, const Dim& b);

  friend GE_API bool operator==(const Dim& a, const Dim& b);

  // The value under an assignment of symbols; nullopt if a symbol is missing, the dim is unknown, a divisor is 0,
  // or the arithmetic overflows int64.
  using Lookup = std::function<std::optional<int64_t>(std::string_view symbol)>;
  std::optional<int64_t> Evaluate(const Lookup& lookup) const;
  // Names of all symbols, sorted, without duplicates.
  std::vector<std::string> Symbols() const;

  std::string ToString() const;  // canonical text; Parse reads it back

  struct Node;  // dim.cc

 private:
  friend struct DimImpl;
  int64_t value_ = 0;
  std::shared_ptr<const Node> node_;  // null: the constant value_
};

// Both known and different: the only case in which two dims are certainly unequal.
inline bool CertainlyDifferent(const Dim& a, const Dim& b) { return a.IsConst() && b.IsConst() && a.value() != b.value(); }

}  // namespace ge
