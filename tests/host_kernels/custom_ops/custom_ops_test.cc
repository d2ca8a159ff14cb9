#include <cmath>

#include "tests/host_kernels/run_op.h"

namespace ge {
namespace {
using namespace ge::testing;

Attr Floats(std::vector<double> v) { return Attr(Attr::List(v.begin(), v.end())); }

// One cell of a 20 x 10 image, worked out by hand: centre (10, 5). min 4, max 9: squares of side 4 and 6; ratio 4: 8 x 2,
// flipped 2 x 8.
TEST(SSDPriorBox, OneCell) {
  const AttrMap attrs{
      {"min_size", Floats({4})}, {"max_size", Floats({9})}, {"aspect_ratio", Floats({1, 4, 4})}, {"variance", Floats({1, 2, 3, 4})}};
  const auto y = RunTo<float>("f32[1,2,16]", "SSDPriorBox", {Iota({1, 7, 1, 1}), Iota({1, 3, 10, 20})}, attrs);
  const std::vector<float> want = {0.4f, 0.3f, 0.6f, 0.7f, 0.35f, 0.2f, 0.65f, 0.8f,  // 4 x 4, 6 x 6
                                   0.3f, 0.4f, 0.7f, 0.6f, 0.45f, 0.1f, 0.55f, 0.9f,  // 8 x 2, 2 x 8
                                   1,    2,    3,    4,    1,     2,    3,     4,    1, 2, 3, 4, 1, 2, 3, 4};
  EXPECT_EQ(y, want);
}

TEST(SSDPriorBox, CellsGoRowByRowAndBoxesAreClippedOnRequest) {
  AttrMap attrs{{"min_size", Floats({2})}, {"flip", false}};
  // 1 x 2 cells of an image of 2 x 4 pixels: steps of 2 x 2, centres (1, 1) and (3, 1).
  const std::vector<float> want = {0, 0, 0.5f, 1, 0.5f, 0, 1, 1, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f};
  EXPECT_EQ(RunTo<float>("f32[1,2,8]", "SSDPriorBox", {Iota({1, 1, 1, 2}), Iota({1, 1, 2, 4})}, attrs), want);
  attrs.Set("min_size", Floats({4}));
  const auto open = RunTo<float>("f32[1,2,8]", "SSDPriorBox", {Iota({1, 1, 1, 2}), Iota({1, 1, 2, 4})}, attrs);
  attrs.Set("clip", true);
  const auto clipped = RunTo<float>("f32[1,2,8]", "SSDPriorBox", {Iota({1, 1, 1, 2}), Iota({1, 1, 2, 4})}, attrs);
  EXPECT_EQ(open[0], -0.25f);
  for (size_t k = 0; k < 8; ++k) EXPECT_EQ(clipped[k], std::clamp(open[k], 0.0f, 1.0f));
  attrs.Set("img_w", 8), attrs.Set("img_h", 4), attrs.Set("step_w", 1.0), attrs.Set("step_h", 3.0), attrs.Set("offset", 1.0);
  const auto own = RunTo<float>("f32[1,2,8]", "SSDPriorBox", {Iota({1, 1, 1, 2}), Iota({1, 1, 2, 4})}, attrs);
  // Centres (1, 3) and (2, 3), boxes of 4 x 4 over 8 x 4.
  EXPECT_EQ(std::vector<float>(own.begin(), own.begin() + 8), (std::vector<float>{0, 0.25f, 0.375f, 1, 0, 0.25f, 0.5f, 1}));
}

TEST(SSDPriorBox, TypesAndRefusals) {
  const AttrMap attrs{{"min_size", Floats({2, 3})}, {"aspect_ratio", Floats({2})}};
  const ValueType image = ValueType::Tensor(DType::kBF16, {1, 3, 9, 9});
  EXPECT_EQ(Infer("SSDPriorBox", {ValueType::Tensor(DType::kBF16, {1, 3, S("s0"), 2}), image}, attrs), "bf16[1,2,48*s0]");
  EXPECT_EQ(Infer("SSDPriorBox", {ValueType::Tensor(DType::kBF16, {1, 3, 0, 2}), image}, attrs), "bf16[1,2,0]");
  const ValueType x = ValueType::Tensor(DType::kF32, {1, 3, 2, 2});
  for (const AttrMap& bad :
       {AttrMap{{"min_size", Floats({})}}, AttrMap{{"min_size", Floats({-1})}}, AttrMap{{"min_size", 3}},
        AttrMap{{"min_size", Floats({2})}, {"max_size", Floats({2})}}, AttrMap{{"min_size", Floats({2})}, {"variance", Floats({1, 2})}},
        AttrMap{{"min_size", Floats({2})}, {"aspect_ratio", Floats({0})}}, AttrMap{{"min_size", Floats({2})}, {"step_w", -1.0}}})
    EXPECT_TRUE(Infer("SSDPriorBox", {x, x}, bad).starts_with("error")) << Infer("SSDPriorBox", {x, x}, bad);
  EXPECT_TRUE(Infer("SSDPriorBox", {ValueType::Tensor(DType::kF32, {3}), x}, attrs).starts_with("error"));
}

TEST(IdentityLike, TheDataIsHandedOn) {
  const Tensor x = Make<int64_t>({2, 2}, {1, -2, 3, -4});
  for (const char* op : {"Identity", "GuaranteeConst", "PreventGradient", "ReFormat", "Snapshot", "StopGradient"})
    EXPECT_EQ(RunTo<int64_t>("i64[2,2]", op, {x}), Values<int64_t>(x)) << op;
  EXPECT_EQ(RunTo<int64_t>("i64[2,2]", "PlaceholderWithDefault", {x}, {{"shape", Ints({-1, 2})}}), Values<int64_t>(x));
  for (const char* op : {"GuaranteeConst", "PreventGradient", "ReFormat", "Snapshot", "StopGradient"}) {
    EXPECT_EQ(Infer(op, {ValueType::Tensor(DType::kC64, {S("s0"), 0})}), "c64[s0,0]") << op;
    EXPECT_EQ(Infer(op, {ValueType::Tensor(DType::kBool, {})}), "bool[]") << op;
  }
}

TEST(IdentityLike, ThePlaceholderRefusesADefaultThatDoesNotFit) {
  const ValueType x = ValueType::Tensor(DType::kF32, {2, S("s0")});
  EXPECT_EQ(Infer("PlaceholderWithDefault", {x}, {{"shape", Ints({2, 3})}}), "f32[2,s0]");
  EXPECT_TRUE(Infer("PlaceholderWithDefault", {x}, {{"shape", Ints({3, -1})}}).starts_with("error"));
  EXPECT_TRUE(Infer("PlaceholderWithDefault", {x}, {{"shape", Ints({2})}}).starts_with("error"));
}

TEST(IdentityLike, ReFormatMayWriteAnyFormatOnTheResult) {
  Module m(HostOps());
  Graph& g = **m.AddGraph("g");
  ValueType y = ValueType::Tensor(DType::kF32, {1, 2, 3, 4});
  Value* x = g.AddInput(y)->output();
  y.format = Format::kNCHW;
  auto n = g.Create({.op = "ReFormat", .inputs = {x}, .attrs = {}, .name = {}, .loc = {}, .types = {y}, .after = {}});
  ASSERT_TRUE(n.ok()) << n.message();
  EXPECT_EQ(ToString((*n)->output()->type()), "f32[1,2,3,4]:NCHW");
}

}  // namespace
}  // namespace ge
