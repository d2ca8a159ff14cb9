// ConcatV2, Pack, Unpack, SplitV, ConcatOffset, DynamicStitch.
#include "tests/host_kernels/run_op.h"

namespace ge::testing {
namespace {

using V = std::vector<float>;

TEST(ConcatV2, AxesAndOldRules) {
  EXPECT_EQ(RunTo<float>("f32[2,3]", "ConcatV2", {Iota({2, 1}), Iota({2, 2})}, {{"concat_dim", 1}}), (V{0, 0, 1, 1, 2, 3}));
  EXPECT_EQ(RunTo<float>("f32[2,2]", "ConcatV2", {F({0}, {}), Iota({2, 2})}, {{"concat_dim", -1}}), (V{0, 1, 2, 3}));
  EXPECT_FALSE(RunOp("ConcatV2", {Iota({2}), Iota({2, 2})}).ok());
  EXPECT_FALSE(RunOp("ConcatV2", {F({}, {1})}).ok());
}

TEST(ConcatV2, PromotesAndAddsSymbols) {
  const Dim s = S("s0");
  EXPECT_EQ(Infer("ConcatV2", {ValueType::Tensor(DType::kF32, {s, 2}), ValueType::Tensor(DType::kF32, {3, 2})}), "f32[s0+3,2]");
  EXPECT_EQ(Infer("ConcatV2", {ValueType::Tensor(DType::kI64, {2}), ValueType::Tensor(DType::kF16, {3})}), "f16[5]");
  EXPECT_EQ(Infer("ConcatV2", {ValueType::Tensor(DType::kU8, {2}), ValueType::Tensor(DType::kI8, {3})}), "i16[5]");
  EXPECT_EQ(Infer("ConcatV2", {ValueType::Tensor(DType::kBF16, {2}), ValueType::Tensor(DType::kF16, {3})}), "f32[5]");
}

TEST(Pack, NewAxis) {
  EXPECT_EQ(RunTo<float>("f32[2,2]", "Pack", {Iota({2}), Iota({2})}, {{"axis", -1}}), (V{0, 0, 1, 1}));
  EXPECT_EQ(RunTo<float>("f32[1]", "Pack", {F({}, {5})}), V{5});
}

TEST(Unpack, OneAPosition) {
  auto r = RunOp("Unpack", {Iota({2, 2})}, {{"axis", 1}});
  ASSERT_TRUE(r.ok()) << r.message();
  ASSERT_EQ(r->size(), 2u);
  EXPECT_EQ(Values<float>((*r)[1]), (V{1, 3}));
}

TEST(SplitV, SizesAndRepeatedSize) {
  auto r = RunOp("SplitV", {Iota({5}), I({2, 3})});
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(Values<float>((*r)[1]), (V{2, 3, 4}));
  r = RunOp("SplitV", {Iota({1, 5}), I({2}), I({-1})}, {{"repeat_size", true}});
  ASSERT_TRUE(r.ok()) << r.message();
  ASSERT_EQ(r->size(), 3u);
  EXPECT_EQ(ToString((*r)[2].type()), "f32[1,1]");
  EXPECT_FALSE(RunOp("SplitV", {Iota({5}), I({2, 2})}).ok());
  EXPECT_FALSE(RunOp("SplitV", {Iota({5}), I({0})}, {{"repeat_size", true}}).ok());
}

TEST(ConcatOffset, Starts) {
  auto r = RunOp("ConcatOffset", {I({1}), I({2, 3}), I({2, 5})});
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(Values<int64_t>((*r)[0]), (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(Values<int64_t>((*r)[1]), (std::vector<int64_t>{0, 3}));
}

TEST(DynamicStitch, LaterWins) {
  EXPECT_EQ(RunTo<float>("f32[3]", "DynamicStitch", {I({0, 2}), I({1, 2}), F({2}, {1, 2}), F({2}, {3, 4})}, {{"N", 2}}), (V{1, 3, 4}));
}

}  // namespace
}  // namespace ge::testing
