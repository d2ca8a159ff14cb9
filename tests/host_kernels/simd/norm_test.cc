#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

struct SimdNorm : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_simd.so is absent";
  }
  const Engine* engine = EngineOrNull("simd");
};

// Rows of one element, of less than a vector, of several vectors and a rest; enough rows for two threads.
const std::vector<std::vector<int64_t>> kShapes = {{3, 1}, {4, 7}, {2, 3, 64}, {1, 1, 513}, {600, 257}};

TEST_F(SimdNorm, LayerNormEqualsTheReference) {
  for (const auto& shape : kShapes)
    for (int mask = 0; mask < 4; ++mask) {
      SCOPED_TRACE(::testing::PrintToString(shape));
      const Tensor x = Random(shape, 1), gamma = Random({shape.back()}, 2), beta = Random({shape.back()}, 3);
      OneNode g;
      Tensor extents(ValueType::Tensor(DType::kI64, {1}));
      extents.mutable_data<int64_t>()[0] = shape.back();
      std::vector<Value*> in = {g.In(x.type()), g.graph().CreateConst(extents)->output(), mask & 1 ? g.In(gamma.type()) : nullptr,
                                mask & 2 ? g.In(beta.type()) : nullptr};
      const Node& node = g.Make("LayerNormV4", in);
      const std::vector<Tensor> want = Reference(node, {&x, &extents, mask & 1 ? &gamma : nullptr, mask & 2 ? &beta : nullptr});
      auto got = LoadAndRun(
          *engine, node,
          {x.data<void>(), extents.data<void>(), mask & 1 ? gamma.data<void>() : nullptr, mask & 2 ? beta.data<void>() : nullptr});
      for (size_t i = 0; i < 3; ++i) ExpectClose(got[i].f32(), want[i].data<float>(), want[i].num_elements(), 2e-6);
    }
}

TEST_F(SimdNorm, RmsNormEqualsTheReference) {
  for (const auto& shape : kShapes)
    for (bool weighted : {false, true}) {
      const Tensor x = Random(shape, 1), gamma = Random({shape.back()}, 2);
      OneNode g;
      AttrMap attrs = {{"normalized_shape", Attr::Ints({shape.back()})}};
      if (weighted) attrs.Set("epsilon", 1e-3);
      const Node& node = g.Make("RmsNorm", {g.In(x.type()), weighted ? g.In(gamma.type()) : nullptr}, attrs);
      const std::vector<Tensor> want = Reference(node, {&x, weighted ? &gamma : nullptr});
      auto got = LoadAndRun(*engine, node, {x.data<void>(), weighted ? gamma.data<void>() : nullptr});
      for (size_t i = 0; i < 2; ++i) ExpectClose(got[i].f32(), want[i].data<float>(), want[i].num_elements(), 2e-6);
    }
}

TEST_F(SimdNorm, ANanSpoilsItsRowOnly) {
  Tensor x = Random({3, 40}, 1);
  x.mutable_data<float>()[45] = std::numeric_limits<float>::quiet_NaN();
  OneNode g;
  const Node& node = g.Make("RmsNorm", {g.In(x.type()), nullptr}, {{"normalized_shape", Attr::Ints({40})}});
  auto got = LoadAndRun(*engine, node, {x.data<void>(), nullptr});
  for (int i = 0; i < 120; ++i) EXPECT_EQ(std::isnan(got[0].f32()[i]), i / 40 == 1) << i;
}

TEST_F(SimdNorm, RefusesWithReasons) {
  OneNode g;
  ValueType columns = F32({4, 8});
  columns.layout = StorageLayout::Strided({1, 4});
  const auto why = [&](ValueType x) {
    return engine->Supports(g.Make("RmsNorm", {g.In(std::move(x)), nullptr}, {{"normalized_shape", Attr::Ints({8})}})).reason;
  };
  EXPECT_NE(why(columns).find("row by row"), std::string::npos);
  EXPECT_NE(why(ValueType::Tensor(DType::kF64, {4, 8})).find("f64"), std::string::npos);
  EXPECT_NE(why(ValueType::Tensor(DType::kF32, {Dim::Symbol("s0"), 8})).find("dynamic"), std::string::npos);
}

}  // namespace
}  // namespace ge::testing
