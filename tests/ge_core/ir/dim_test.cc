#include "ge_core/ir/dim.h"

#include <gtest/gtest.h>

#include <random>

namespace ge {
namespace {

std::string Canonical(std::string_view text) {
  auto d = Dim::Parse(text);
  return d.ok() ? d->ToString() : "error: " + d.message();
}

TEST(Dim, Constants) {
  EXPECT_EQ(Dim(2) + Dim(3), Dim(5));
  EXPECT_EQ(Dim::FloorDiv(-7, 2), Dim(-4));
  EXPECT_EQ(Dim::FloorDiv(7, -2), Dim(-4));
  EXPECT_EQ(Dim::Mod(-7, 2), Dim(1));
  EXPECT_EQ(Dim::Mod(7, -2), Dim(-1));
  EXPECT_TRUE(Dim::FloorDiv(1, 0).IsUnknown());
  EXPECT_TRUE(Dim::Mod(1, 0).IsUnknown());
  EXPECT_TRUE((Dim(INT64_MAX) + Dim(1)).IsUnknown());
  EXPECT_TRUE((Dim(INT64_MIN) * Dim(-1)).IsUnknown());
  EXPECT_TRUE((Dim(0) - Dim(INT64_MIN)).IsUnknown());
  EXPECT_TRUE(Dim::FloorDiv(INT64_MIN, -1).IsUnknown());
  EXPECT_EQ(Dim::Mod(INT64_MIN, -1), Dim(0));
  EXPECT_EQ(Dim::Max(2, 9), Dim(9));
  EXPECT_EQ(Dim::Min(2, 9), Dim(2));
}

TEST(Dim, UnknownIsContagiousExceptTimesZero) {
  EXPECT_TRUE((Dim::Unknown() + Dim::Symbol("s0")).IsUnknown());
  EXPECT_EQ(Dim::Unknown() * Dim(0), Dim(0));
  EXPECT_FALSE(Dim::Unknown().IsSymbolic());
  EXPECT_FALSE(Dim::Unknown().IsConst());
}

TEST(Dim, CanonicalForms) {
  EXPECT_EQ(Canonical("1 + s0*2"), "2*s0+1");
  EXPECT_EQ(Canonical("s1*s0 + s0*s1"), "2*s0*s1");
  EXPECT_EQ(Canonical("(s0+1)*(s0-1)"), "s0*s0-1");
  EXPECT_EQ(Canonical("s0-s0"), "0");
  EXPECT_EQ(Canonical("(s0+1)//2"), "(s0+1)//2");
  EXPECT_EQ(Canonical("(s0-1)//2+1"), "(s0+1)//2");
  EXPECT_EQ(Canonical("(2*s0+4)//6"), "(s0+2)//3");
  EXPECT_EQ(Canonical("(4*s0+3)//2"), "2*s0+1");
  EXPECT_EQ(Canonical("(s0//2)//3"), "s0//6");
  EXPECT_EQ(Canonical("8*s0//(2*s0)"), "4");
  EXPECT_EQ(Canonical("(5*s0+7)%3"), "(2*s0+1)%3");
  EXPECT_EQ(Canonical("s0%4%4"), "s0%4");
  EXPECT_EQ(Canonical("max(s0,1)"), "max(1,s0)");
  EXPECT_EQ(Canonical("max(max(s1,s0),max(3,1))"), "max(3,s0,s1)");
  EXPECT_EQ(Canonical("max(s0,s0+1)"), "s0+1");
  EXPECT_EQ(Canonical("min(s0,s0+1)"), "s0");
  EXPECT_EQ(Canonical("-(s0//2)"), "-(s0//2)");
  EXPECT_EQ(Canonical("3*(s0//2)*s1"), "3*(s0//2)*s1");
  EXPECT_EQ(Canonical("-9223372036854775808"), "-9223372036854775808");
  // Constants whose difference overflows: one goes all the same.
  EXPECT_EQ(Canonical("max(-9223372036854775808,1,s0)"), "max(1,s0)");
  EXPECT_EQ(Canonical("min(s0,9223372036854775807,-2)"), "min(-2,s0)");
  EXPECT_EQ(Dim::Max(Dim::Max(Dim::Symbol("s0"), INT64_MIN), 1).ToString(), "max(1,s0)");
}

TEST(Dim, SympySpellings) {
  EXPECT_EQ(Canonical("Mod(s0, 3)"), "s0%3");
  EXPECT_EQ(Canonical("PythonMod(s0, 3)"), "s0%3");
  EXPECT_EQ(Canonical("FloorDiv(s0 + 1, 2)"), "(s0+1)//2");
  EXPECT_EQ(Canonical("CleanDiv(s0*s1, s1)"), "s0");
  EXPECT_EQ(Canonical("CeilDiv(s0, 4)"), "-((-s0)//4)");
  EXPECT_EQ(Canonical("Max(1, s0, s1)"), "max(1,s0,s1)");
  EXPECT_EQ(Canonical("s0**2 + 1"), "s0*s0+1");
  EXPECT_EQ(Canonical("-s0**2"), "-s0*s0");
  EXPECT_EQ(Canonical("-u0 + 3"), "-u0+3");
}

TEST(Dim, Errors) {
  for (const char* text :
       {"", "s0+", "s0 s1", "(s0", "Foo(s0)", "Mod(s0)", "s0//0", "Mod(s0,0)", "s0**s1", "s0**99", "99999999999999999999",
        "9223372036854775808", "-99999999999999999999", "s0/2", "1.5", "@", "Max()", "9223372036854775807+1"})
    EXPECT_FALSE(Dim::Parse(text).ok()) << text;
  EXPECT_EQ(Dim::Parse("s0 + )").message(), "dim expression, column 6: expected a number, a symbol, '?' or '(', found ')'");
  EXPECT_FALSE(Dim::Parse(std::string(100000, '(')).ok());
  EXPECT_FALSE(Dim::Parse(std::string(100000, '-') + "1").ok());
  std::string wide = "1";
  for (int i = 0; i < 3000; ++i) wide += "+s" + std::to_string(i);
  EXPECT_FALSE(Dim::Parse(wide).ok());
  EXPECT_FALSE(Dim::Parse("(a+b+c+d+e+f+g+h)**16").ok());
}

TEST(Dim, SymbolsAndEvaluate) {
  const Dim d = *Dim::Parse("max(1,s1)*(s0+3)//2 + u7%4");
  EXPECT_EQ(d.Symbols(), (std::vector<std::string>{"s0", "s1", "u7"}));
  auto lookup = [](std::string_view s) -> std::optional<int64_t> {
    if (s == "s0") return 4;
    if (s == "s1") return 0;
    if (s == "u7") return -1;
    return std::nullopt;
  };
  EXPECT_EQ(d.Evaluate(lookup), 6);  // 7//2 + 3
  EXPECT_EQ(Dim::Parse("s0//(s1)")->Evaluate(lookup), std::nullopt);
  EXPECT_EQ(Dim::Symbol("missing").Evaluate(lookup), std::nullopt);
  EXPECT_EQ(Dim::Unknown().Evaluate(lookup), std::nullopt);
  EXPECT_EQ(Dim::Parse("s0*9223372036854775807")->Evaluate(lookup), std::nullopt);
}

// Random expressions: canonicalisation keeps the value, and parse(print(x)) == x.
TEST(Dim, RandomExpressionsKeepTheirValue) {
  std::mt19937 rng(7);
  struct Pair {
    Dim dim;
    std::optional<int64_t> value;
  };
  const int64_t values[] = {5, 12, 1};
  for (int round = 0; round < 3000; ++round) {
    std::vector<Pair> pool;
    for (int i = 0; i < 3; ++i) pool.push_back({Dim::Symbol("s" + std::to_string(i)), values[i]});
    for (int64_t c : {-3, 1, 2, 4, 6}) pool.push_back({Dim(c), c});
    auto floor_div = [](int64_t a, int64_t b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); };
    for (int step = 0; step < 8; ++step) {
      const Pair a = pool[rng() % pool.size()], b = pool[rng() % pool.size()];
      if (!a.value || !b.value || std::abs(*a.value) > 1000000 || std::abs(*b.value) > 1000000) continue;
      switch (rng() % 7) {
        case 0: pool.push_back({a.dim + b.dim, *a.value + *b.value}); break;
        case 1: pool.push_back({a.dim - b.dim, *a.value - *b.value}); break;
        case 2: pool.push_back({a.dim * b.dim, *a.value * *b.value}); break;
        case 3:
          if (*b.value) pool.push_back({Dim::FloorDiv(a.dim, b.dim), floor_div(*a.value, *b.value)});
          break;
        case 4:
          if (*b.value) pool.push_back({Dim::Mod(a.dim, b.dim), *a.value - *b.value * floor_div(*a.value, *b.value)});
          break;
        case 5: pool.push_back({Dim::Min(a.dim, b.dim), std::min(*a.value, *b.value)}); break;
        default: pool.push_back({Dim::Max(a.dim, b.dim), std::max(*a.value, *b.value)}); break;
      }
      const Pair& last = pool.back();
      if (last.dim.IsUnknown()) {
        pool.pop_back();
        continue;
      }
      auto got = last.dim.Evaluate([&](std::string_view s) -> std::optional<int64_t> { return values[s[1] - '0']; });
      ASSERT_TRUE(got) << last.dim.ToString();
      ASSERT_EQ(*got, *last.value) << last.dim.ToString();
      auto again = Dim::Parse(last.dim.ToString());
      ASSERT_TRUE(again.ok()) << last.dim.ToString() << " " << again.message();
      ASSERT_EQ(*again, last.dim) << again->ToString();
    }
  }
}

}  // namespace
}  // namespace ge
