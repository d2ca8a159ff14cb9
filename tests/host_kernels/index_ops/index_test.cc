// Indexing and scattering.
#include "tests/host_kernels/run_op.h"

namespace ge::testing {
namespace {

using V = std::vector<float>;

Tensor Index(std::vector<int64_t> shape, std::vector<int64_t> values) { return Make<int64_t>(std::move(shape), std::move(values)); }

TEST(IndexByTensor, PlacesTheIndexedAxes) {
  const Tensor x = Iota({2, 3, 2}), none;
  EXPECT_EQ(RunTo<float>("f32[2,3,2]", "IndexByTensor", {x, I({1, -2})}), (V{6, 7, 8, 9, 10, 11, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(RunTo<float>("f32[2,1,2]", "IndexByTensor", {x, none, I({2})}), (V{4, 5, 10, 11}));
  EXPECT_EQ(RunTo<float>("f32[2,3]", "IndexByTensor", {x, I({0, 1}), none, I({1, 0})}), (V{1, 3, 5, 6, 8, 10}));  // split: to the front
  EXPECT_EQ(RunTo<float>("f32[2,2,2]", "IndexByTensor", {x, Index({2, 1}, {0, 1}), I({0, 2})}), (V{0, 1, 4, 5, 6, 7, 10, 11}));
  EXPECT_FALSE(RunOp("IndexByTensor", {x, I({2})}).ok());
}

TEST(IndexByTensor, MasksHaveAnUnknownCount) {
  const ValueType x = ValueType::Tensor(DType::kF32, {2, 3, 4}), mask = ValueType::Tensor(DType::kBool, {2, 3}),
                  i = ValueType::Tensor(DType::kI64, {5});
  EXPECT_EQ(Infer("IndexByTensor", {x, mask}), "f32[?,4]");
  EXPECT_EQ(Infer("IndexByTensor", {x, i, ValueType::Tensor(DType::kI64, {S("s0"), 1})}), "f32[s0,5,4]");
  EXPECT_EQ(Infer("IndexByTensor", {x, ValueType::Tensor(DType::kBool, {3})}).substr(0, 5), "error");
}

TEST(IndexPutV2, ReplacesAndAccumulates) {
  EXPECT_EQ(RunTo<float>("f32[3]", "IndexPutV2", {Iota({3}), F({}, {9}), I({0, -1})}), (V{9, 1, 9}));
  EXPECT_EQ(RunTo<float>("f32[2]", "IndexPutV2", {Iota({2}), F({2}, {1, 2}), I({1, 1})}, {{"accumulate", true}}), (V{0, 4}));
  EXPECT_EQ(RunTo<float>("f32[2,2]", "IndexPutV2", {Iota({2, 2}), F({2, 1}, {8, 9}), Tensor(), I({0})}), (V{8, 1, 9, 3}));
  EXPECT_FALSE(RunOp("IndexPutV2", {Iota({2, 2}), F({1, 2}, {8, 9}), Tensor(), I({0})}).ok());
}

TEST(GatherElements, AlongAnAxis) {
  EXPECT_EQ(RunTo<float>("f32[2,2]", "GatherElements", {Iota({2, 3}), Index({2, 2}, {0, 2, 1, 1})}, {{"dim", 1}}), (V{0, 2, 4, 4}));
  EXPECT_EQ(RunTo<float>("f32[]", "GatherElements", {F({}, {3}), Index({}, {0})}), V{3});
  EXPECT_FALSE(RunOp("GatherElements", {Iota({2}), I({-1})}).ok());
  EXPECT_FALSE(RunOp("GatherElements", {Iota({2, 2}), Index({3, 1}, {0, 0, 0})}, {{"dim", 1}}).ok());
}

TEST(ScatterElements, SetsAndAdds) {
  EXPECT_EQ(RunTo<float>("f32[4]", "ScatterElements", {F({4}, {1, 1, 1, 1}), I({2, 0}), F({2}, {5, 6})}), (V{6, 1, 5, 1}));
  EXPECT_EQ(RunTo<float>("f32[2]", "ScatterElements", {F({2}, {1, 1}), I({1, 1}), F({2}, {5, 6})}, {{"reduction", "add"}}), (V{1, 12}));
  EXPECT_EQ(RunTo<float>("f32[2]", "ScatterElements", {F({2}, {1, 1}), I({1})}, {{"value", 7}}), (V{1, 7}));
  EXPECT_FALSE(RunOp("ScatterElements", {F({2}, {1, 1}), I({2})}, {{"value", 7}}).ok());
}

TEST(InplaceIndexAdd, Accumulates) {
  EXPECT_EQ(RunTo<float>("f32[2,2]", "InplaceIndexAdd", {Iota({2, 2}), I({0, 0}), F({2, 2}, {1, 1, 2, 2})}, {{"axis", 0}, {"alpha", 10}}),
            (V{30, 31, 2, 3}));
}

TEST(Scatters, SliceAndSelect) {
  EXPECT_EQ(RunTo<float>("f32[4]", "SliceScatter", {Iota({4}), F({2}, {8, 9}), I({1}), I({100}), I({2})}), (V{0, 8, 2, 9}));
  EXPECT_EQ(RunTo<float>("f32[2,2]", "SelectScatter", {Iota({2, 2}), F({2}, {8, 9}), I({-1})}, {{"dim", 1}}), (V{0, 8, 2, 9}));
  EXPECT_EQ(RunTo<float>("f32[2,2]", "SelectGrad", {F({2}, {8, 9}), I({2, 2}), I({0})}, {{"dim", 0}}), (V{8, 9, 0, 0}));
  EXPECT_EQ(RunTo<float>("f32[4]", "SliceGrad", {F({2}, {8, 9}), I({4}), I({0}), I({3}), I({2})}, {{"dim", 0}}), (V{8, 0, 9, 0}));
  EXPECT_FALSE(RunOp("SliceScatter", {Iota({4}), F({2}, {8, 9}), I({3}), I({100})}).ok());
}

TEST(UnknownCounts, HaveOpenExtents) {
  const ValueType x = ValueType::Tensor(DType::kF32, {2, 3});
  EXPECT_EQ(Infer("NonZero", {x}), "i64[?,2]");
  EXPECT_EQ(Infer("MaskedSelect", {x, ValueType::Tensor(DType::kBool, {3})}), "f32[?]");
}

}  // namespace
}  // namespace ge::testing
