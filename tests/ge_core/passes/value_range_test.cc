// Transfer functions of value ranges against brute force: every combination of small intervals, near zero and at the ends
// of the type, where results wrap around.
#include "ge_core/passes/fold/value_range.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace ge {
namespace {

using Elements = std::vector<int64_t>;
// The result before it is stored; nullopt where the operator raises.
using Reference = std::function<std::optional<int64_t>(const Elements&)>;

struct Op {
  int arity;
  bool exact;  // the bounds are the smallest and the largest result, not only around them
  bool to_bool;
  Reference f;
};

const std::map<std::string, Op, std::less<>>& Ops() {
  static const std::map<std::string, Op, std::less<>> ops = {
      {"Add", {2, true, false, [](const Elements& x) { return x[0] + x[1]; }}},
      {"Sub", {2, true, false, [](const Elements& x) { return x[0] - x[1]; }}},
      {"Mul", {2, true, false, [](const Elements& x) { return x[0] * x[1]; }}},
      {"Neg", {1, true, false, [](const Elements& x) { return -x[0]; }}},
      {"Maximum", {2, true, false, [](const Elements& x) { return x[0] > x[1] ? x[0] : x[1]; }}},
      {"Minimum", {2, true, false, [](const Elements& x) { return x[0] < x[1] ? x[0] : x[1]; }}},
      {"FloorDiv",
       {2, true, false,
        [](const Elements& x) -> std::optional<int64_t> {
          if (x[1] == 0) return std::nullopt;
          return static_cast<int64_t>(std::floor(static_cast<double>(x[0]) / static_cast<double>(x[1])));
        }}},
      {"FloorMod",
       {2, false, false,
        [](const Elements& x) -> std::optional<int64_t> {
          if (x[1] == 0) return std::nullopt;
          return x[0] - x[1] * static_cast<int64_t>(std::floor(static_cast<double>(x[0]) / static_cast<double>(x[1])));
        }}},
      {"Cast", {1, true, false, [](const Elements& x) { return x[0]; }}},
      {"SelectV2", {3, true, false, [](const Elements& x) { return x[0] ? x[1] : x[2]; }}},
      {"Less", {2, true, true, [](const Elements& x) { return x[0] < x[1]; }}},
      {"LessEqual", {2, true, true, [](const Elements& x) { return x[0] <= x[1]; }}},
      {"Greater", {2, true, true, [](const Elements& x) { return x[0] > x[1]; }}},
      {"GreaterEqual", {2, true, true, [](const Elements& x) { return x[0] >= x[1]; }}},
      {"Equal", {2, true, true, [](const Elements& x) { return x[0] == x[1]; }}},
      {"NotEqual", {2, true, true, [](const Elements& x) { return x[0] != x[1]; }}},
      {"LogicalNot", {1, true, true, [](const Elements& x) { return x[0] == 0; }}},
      {"LogicalAnd", {2, true, true, [](const Elements& x) { return x[0] != 0 && x[1] != 0; }}},
      {"LogicalOr", {2, true, true, [](const Elements& x) { return x[0] != 0 || x[1] != 0; }}},
  };
  return ops;
}

std::vector<ValueRange> Intervals(int64_t from, int64_t to) {
  std::vector<ValueRange> out;
  for (int64_t lo = from; lo <= to; ++lo)
    for (int64_t hi = lo; hi <= to; ++hi) out.push_back({lo, hi});
  return out;
}

// Every result over the box of operands; false if some result raises or does not fit.
bool Enumerate(const Op& op, const std::vector<ValueRange>& x, const ValueRange& full, std::set<int64_t>& results) {
  Elements v;
  for (const ValueRange& r : x) v.push_back(r.lo);
  for (;;) {
    const std::optional<int64_t> y = op.f(v);
    if (!y || *y < full.lo || *y > full.hi) return false;
    results.insert(*y);
    size_t k = 0;
    while (k < v.size() && v[k] == x[k].hi) v[k] = x[k].lo, ++k;
    if (k == v.size()) return true;
    ++v[k];
  }
}

int64_t Check(const RangeRule& rule, const Op& op, DType dtype, const std::vector<std::vector<ValueRange>>& choices) {
  const DType result = op.to_bool ? DType::kBool : dtype;
  const ValueRange full = *FullRange(result);
  int64_t bounded = 0;
  std::vector<size_t> at(static_cast<size_t>(op.arity));
  for (;;) {
    std::vector<ValueRange> x;
    for (size_t k = 0; k < at.size(); ++k) x.push_back(choices[k][at[k]]);
    std::set<int64_t> results;
    const bool fits = Enumerate(op, x, full, results);
    const std::optional<ValueRange> got = rule.element(x, result);
    EXPECT_EQ(got.has_value(), fits) << rule.op << " of " << x[0].lo << ".." << x[0].hi << ", " << x.back().lo << ".." << x.back().hi;
    if (got && fits) {
      ++bounded;
      EXPECT_LE(got->lo, *results.begin()) << rule.op;
      EXPECT_GE(got->hi, *results.rbegin()) << rule.op;
      EXPECT_LE(got->lo, got->hi);
      if (op.exact) {
        EXPECT_EQ(*got, (ValueRange{*results.begin(), *results.rbegin()}))
            << rule.op << " of " << x[0].lo << ".." << x[0].hi << ", " << x.back().lo << ".." << x.back().hi;
      }
    }
    if (testing::Test::HasFailure()) return bounded;
    size_t k = 0;
    while (k < at.size() && ++at[k] == choices[k].size()) at[k++] = 0;
    if (k == at.size()) return bounded;
  }
}

TEST(ValueRange, EveryElementRuleAgainstBruteForce) {
  int checked = 0;
  for (const RangeRule& rule : RangeRules()) {
    if (!rule.element) continue;
    const auto op = Ops().find(rule.op);
    ASSERT_NE(op, Ops().end()) << "no reference for " << rule.op;
    const size_t n = static_cast<size_t>(op->second.arity);
    std::vector<std::vector<ValueRange>> small(n, Intervals(-4, 4)), high(n, Intervals(124, 127)), low(n, Intervals(-128, -125));
    if (n == 3) small = {Intervals(0, 1), Intervals(-2, 2), Intervals(-2, 2)}, high[0] = low[0] = Intervals(0, 1);
    EXPECT_GT(Check(rule, op->second, DType::kI8, small), 0);
    Check(rule, op->second, DType::kI8, high);
    Check(rule, op->second, DType::kI8, low);
    if (n == 2) {
      Check(rule, op->second, DType::kI8, {Intervals(-128, -125), Intervals(-2, 2)});
      Check(rule, op->second, DType::kI8, {Intervals(124, 127), Intervals(-2, 2)});
      Check(rule, op->second, DType::kU8, {Intervals(0, 3), Intervals(0, 3)});
    }
    ++checked;
  }
  EXPECT_EQ(checked, static_cast<int>(Ops().size()));
}

TEST(ValueRange, TheEndsOfI64DoNotOverflow) {
  const ValueRange all = *FullRange(DType::kI64), top{INT64_MAX, INT64_MAX}, bottom{INT64_MIN, INT64_MIN}, minus{-1, -1}, one{1, 1};
  const auto run = [](std::string_view op, std::vector<ValueRange> x) { return FindRangeRule(op)->element(x, DType::kI64); };
  EXPECT_EQ(run("Add", {top, one}), std::nullopt);
  EXPECT_EQ(run("Add", {top, minus}), (ValueRange{INT64_MAX - 1, INT64_MAX - 1}));
  EXPECT_EQ(run("Sub", {bottom, one}), std::nullopt);
  EXPECT_EQ(run("Mul", {all, all}), std::nullopt);
  EXPECT_EQ(run("Mul", {bottom, minus}), std::nullopt);
  EXPECT_EQ(run("Neg", {bottom}), std::nullopt);
  EXPECT_EQ(run("FloorDiv", {bottom, minus}), std::nullopt);
  EXPECT_EQ(run("FloorDiv", {all, top}), (ValueRange{-2, 1}));
  EXPECT_EQ(run("FloorMod", {all, minus}), (ValueRange{0, 0}));
  EXPECT_EQ(run("FloorMod", {all, bottom}), (ValueRange{INT64_MIN + 1, 0}));
  EXPECT_EQ(run("FloorMod", {{0, INT64_MAX}, top}), (ValueRange{0, INT64_MAX - 1}));
}

TEST(ValueRange, FullRanges) {
  EXPECT_EQ(FullRange(DType::kBool), (ValueRange{0, 1}));
  EXPECT_EQ(FullRange(DType::kU8), (ValueRange{0, 255}));
  EXPECT_EQ(FullRange(DType::kI16), (ValueRange{-32768, 32767}));
  EXPECT_EQ(FullRange(DType::kU64), std::nullopt);
  EXPECT_EQ(FullRange(DType::kF32), std::nullopt);
}

}  // namespace
}  // namespace ge
