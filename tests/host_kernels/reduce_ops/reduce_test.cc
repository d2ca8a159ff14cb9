// Reductions, positions of extrema, running sums, sorting.
#include <cmath>
#include <limits>

#include "tests/host_kernels/run_op.h"

namespace ge::testing {
namespace {

using V = std::vector<float>;
using L = std::vector<int64_t>;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInf = std::numeric_limits<float>::infinity();

TEST(ReduceSum, AxesDTypesAndEmptiness) {
  EXPECT_EQ(RunTo<float>("f32[]", "ReduceSum", {Iota({2, 3})}), V{15});
  EXPECT_EQ(RunTo<float>("f32[2,1]", "ReduceSum", {Iota({2, 3}), I({-1})}, {{"keep_dims", true}}), (V{3, 12}));
  EXPECT_EQ(RunTo<float>("f32[]", "ReduceSum", {Iota({2, 3}), I({})}), V{15});  // an empty list is all axes
  EXPECT_EQ(RunTo<int64_t>("i64[]", "ReduceSum", {MakeBool({3}, {1, 0, 1})}), L{2});
  EXPECT_EQ(RunTo<int64_t>("i64[]", "ReduceSum", {Make<int8_t>({2}, {100, 100})}), L{200});
  EXPECT_EQ(RunTo<int8_t>("i8[]", "ReduceSum", {Make<int8_t>({2}, {100, 100})}, {{"dtype", DType::kI8}}), std::vector<int8_t>{-56});
  EXPECT_EQ(RunTo<float>("f32[2]", "ReduceSum", {F({0, 2}, {}), I({0})}), (V{0, 0}));
  EXPECT_EQ(RunTo<float>("f32[]", "ReduceSum", {F({}, {3}), I({0})}), V{3});
  EXPECT_FALSE(RunOp("ReduceSum", {Iota({2}), I({1})}).ok());
  EXPECT_FALSE(RunOp("ReduceSum", {Iota({2, 2}), I({0, -2})}).ok());
}

TEST(ReduceSum, SymbolicExtents) {
  const ValueType x = ValueType::Tensor(DType::kI32, {S("s0"), 4}), axes = ValueType::Tensor(DType::kI64, {1});
  EXPECT_EQ(Infer("ReduceSum", {x, axes}, {}, {{1, I({1})}}), "i64[s0]");
  EXPECT_EQ(Infer("ReduceSum", {x, axes}).substr(0, 13), "unimplemented");
}

TEST(ReduceMean, FloatsOnly) {
  EXPECT_EQ(RunTo<float>("f32[3]", "ReduceMean", {Iota({2, 3}), I({0})}), (V{1.5, 2.5, 3.5}));
  EXPECT_TRUE(std::isnan(RunTo<float>("f32[]", "ReduceMean", {F({0}, {})})[0]));
  EXPECT_FALSE(RunOp("ReduceMean", {I({1, 2})}).ok());
  EXPECT_EQ(RunTo<float>("f32[]", "ReduceMean", {I({1, 2})}, {{"dtype", DType::kF32}}), V{1.5});
}

TEST(ReduceProd, Identity) {
  EXPECT_EQ(RunTo<int64_t>("i64[]", "ReduceProd", {I({2, 3, 4})}), L{24});
  EXPECT_EQ(RunTo<float>("f32[]", "ReduceProd", {F({0}, {})}), V{1});
}

TEST(ReduceMaxMin, NanWinsAndNoIdentity) {
  EXPECT_EQ(RunTo<float>("f32[2]", "ReduceMax", {Iota({2, 3}), I({1})}), (V{2, 5}));
  EXPECT_EQ(RunTo<float>("f32[]", "ReduceMin", {F({3}, {2, -kInf, 1})}), V{-kInf});
  EXPECT_TRUE(std::isnan(RunTo<float>("f32[]", "ReduceMax", {F({3}, {2, kNan, 9})})[0]));
  EXPECT_TRUE(std::isnan(RunTo<float>("f32[]", "ReduceMin", {F({3}, {kNan, 2, 1})})[0]));
  EXPECT_FALSE(RunOp("ReduceMax", {F({0}, {})}).ok());
  EXPECT_EQ(RunTo<float>("f32[0]", "ReduceMax", {F({0, 2}, {}), I({1})}), V{});
}

TEST(ReduceAnyAll, BoolAndU8) {
  EXPECT_EQ(RunTo<uint8_t>("bool[2]", "ReduceAny", {F({2, 2}, {0, kNan, 0, 0}), I({1})}), (std::vector<uint8_t>{1, 0}));
  EXPECT_EQ(RunTo<uint8_t>("bool[]", "ReduceAll", {F({0}, {})}), std::vector<uint8_t>{1});
  EXPECT_EQ(RunTo<uint8_t>("u8[]", "ReduceAll", {Make<uint8_t>({2}, {3, 4})}), std::vector<uint8_t>{1});
}

TEST(ArgMax, FirstOfEqualsAndNan) {
  EXPECT_EQ(RunTo<int64_t>("i64[]", "ArgMaxV2", {F({4}, {1, 3, 3, 2})}), L{1});
  EXPECT_EQ(RunTo<int64_t>("i64[2,1]", "ArgMaxV2", {F({2, 2}, {1, 2, 4, 3}), I({-1})}, {{"keep_dims", true}}), (L{1, 0}));
  EXPECT_EQ(RunTo<int64_t>("i64[]", "ArgMin", {F({4}, {1, kNan, 0, kNan})}), L{1});
  EXPECT_FALSE(RunOp("ArgMaxV2", {F({0}, {})}).ok());
}

TEST(ArgMaxWithValue, BothResults) {
  auto r = RunOp("ArgMaxWithValue", {F({2, 2}, {1, 2, 4, 3})}, {{"dimension", 0}});
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(Values<int64_t>((*r)[0]), (L{1, 1}));
  EXPECT_EQ(Values<float>((*r)[1]), (V{4, 3}));
}

TEST(Variance, CorrectionAndDegenerateCounts) {
  EXPECT_EQ(RunTo<float>("f32[]", "ReduceVar", {F({4}, {1, 2, 3, 4})}, {{"correction", 0}}), V{1.25});
  EXPECT_FLOAT_EQ(RunTo<float>("f32[]", "ReduceStdV2", {F({4}, {1, 2, 3, 4})})[0], 1.2909944f);
  EXPECT_TRUE(std::isnan(RunTo<float>("f32[]", "ReduceVar", {F({1}, {1})})[0]));
  auto r = RunOp("VarMean", {Iota({2, 2}), I({1})}, {{"keepdim", true}});
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(Values<float>((*r)[0]), (V{0.5, 0.5}));
  EXPECT_EQ(Values<float>((*r)[1]), (V{0.5, 2.5}));
}

TEST(ReduceLogSumExp, InfinitiesAndOverflow) {
  EXPECT_FLOAT_EQ(RunTo<float>("f32[]", "ReduceLogSumExp", {F({2}, {1000, 1000}), I({0})})[0], 1000.6931f);
  EXPECT_EQ(RunTo<float>("f32[]", "ReduceLogSumExp", {F({2}, {-kInf, -kInf}), I({0})}), V{-kInf});
  EXPECT_EQ(RunTo<float>("f32[]", "ReduceLogSumExp", {F({2}, {kInf, 1}), I({0})}), V{kInf});
}

TEST(LpNormV2, Orders) {
  const Tensor x = F({2}, {3, -4});
  EXPECT_EQ(RunTo<float>("f32[]", "LpNormV2", {x}), V{5});
  EXPECT_EQ(RunTo<float>("f32[]", "LpNormV2", {x}, {{"p", 1}}), V{7});
  EXPECT_EQ(RunTo<float>("f32[]", "LpNormV2", {x}, {{"p", std::numeric_limits<double>::infinity()}}), V{4});
  EXPECT_EQ(RunTo<float>("f32[]", "LpNormV2", {x}, {{"p", 0.0}}), V{2});
}

TEST(Cumsum, DirectionsAndDTypes) {
  EXPECT_EQ(RunTo<float>("f32[2,2]", "Cumsum", {F({2, 2}, {1, 2, 3, 4}), I({1})}), (V{1, 3, 3, 7}));
  EXPECT_EQ(RunTo<int64_t>("i64[3]", "Cumsum", {MakeBool({3}, {1, 0, 1}), I({0})}), (L{1, 1, 2}));
  EXPECT_EQ(RunTo<float>("f32[3]", "Cumsum", {F({3}, {1, 2, 3}), I({0})}, {{"exclusive", true}, {"reverse", true}}), (V{5, 3, 0}));
  EXPECT_EQ(RunTo<int64_t>("i64[3]", "Cumprod", {I({2, 3, 4}), I({0})}), (L{2, 6, 24}));
  EXPECT_EQ(RunTo<float>("f32[]", "Cumsum", {F({}, {2}), I({-1})}), V{2});
}

TEST(Sort, NanLastAndStable) {
  auto r = RunOp("Sort", {F({4}, {2, kNan, 1, 2})});
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(Values<int64_t>((*r)[1]), (L{2, 0, 3, 1}));
  r = RunOp("Sort", {F({4}, {2, kNan, 1, 2})}, {{"descending", true}});
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(Values<int64_t>((*r)[1]), (L{1, 0, 3, 2}));
}

TEST(TopKV2, Shapes) {
  const ValueType x = ValueType::Tensor(DType::kF32, {S("s0"), 8}), k = ValueType::Tensor(DType::kI64, {1});
  EXPECT_EQ(Infer("TopKV2", {x, k}, {}, {{1, I({3})}}), "f32[s0,3] i64[s0,3]");
  EXPECT_EQ(Infer("TopKV2", {x, k}, {}, {{1, I({9})}}).substr(0, 5), "error");
}

}  // namespace
}  // namespace ge::testing
