// Means over images, row-major and channels-last, against sums in double.
#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

struct SimdSpatialMean : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_simd.so is absent";
  }
  const Engine* engine = EngineOrNull("simd");

  const Node& Make(OneNode& g, const ValueType& x, const std::vector<int64_t>& axes, bool keep_dims) {
    Tensor list(ValueType::Tensor(DType::kI64, {static_cast<int64_t>(axes.size())}));
    std::copy(axes.begin(), axes.end(), list.mutable_data<int64_t>());
    return g.Make("ReduceMean", {g.In(x), g.graph().CreateConst(list)->output()}, {{"keep_dims", keep_dims}});
  }
};

TEST_F(SimdSpatialMean, EqualsTheDefinitionInBothOrders) {
  for (const std::vector<int64_t>& shape : {std::vector<int64_t>{1, 3, 2, 2}, {2, 64, 7, 7}, {3, 70, 5, 1}, {1, 130, 40, 41}, {2, 5, 33}, {1, 9, 2, 3, 4}})
    for (bool channels_last : {false, true})
      for (bool keep_dims : {false, true}) {
        SCOPED_TRACE(::testing::PrintToString(shape));
        const Tensor x = Random(shape, 1);  // in memory order
        ValueType type = x.type();
        if (channels_last) type.layout = ChannelsLast(type.shape());
        std::vector<int64_t> axes;
        for (size_t i = 2; i < shape.size(); ++i) axes.push_back(static_cast<int64_t>(i) - (keep_dims ? static_cast<int64_t>(shape.size()) : 0));
        const int64_t images = shape[0], channels = shape[1], pixels = x.num_elements() / (images * channels);
        std::vector<float> want;
        for (int64_t n = 0; n < images; ++n)
          for (int64_t c = 0; c < channels; ++c) {
            double sum = 0;
            for (int64_t k = 0; k < pixels; ++k)
              sum += x.data<float>()[channels_last ? (n * pixels + k) * channels + c : (n * channels + c) * pixels + k];
            want.push_back(static_cast<float>(sum / static_cast<double>(pixels)));
          }
        OneNode g;
        const Node& node = Make(g, type, axes, keep_dims);
        const Tensor list(node.input(1)->producer()->const_value()->type());
        auto y = LoadAndRun(*engine, node, {x.data<void>(), list.data<void>()});
        ExpectClose(y[0].f32(), want.data(), static_cast<int64_t>(want.size()), 1e-6);
      }
}

TEST_F(SimdSpatialMean, WishesForChannelsLastAndRefusesTheRest) {
  OneNode g;
  const auto wishes = engine->Preferences(Make(g, F32({1, 8, 4, 4}), {2, 3}, true));
  ASSERT_EQ(wishes.size(), 1u);
  EXPECT_EQ(wishes[0].layout, ChannelsLast(F32({1, 8, 4, 4}).shape()));
  const auto why = [&](const ValueType& x, const std::vector<int64_t>& axes) { return engine->Supports(Make(g, x, axes, false)).reason; };
  EXPECT_NE(why(F32({1, 8, 4, 4}), {3}).find("all axes"), std::string::npos);
  EXPECT_NE(why(F32({1, 8, 4, 4}), {1, 2, 3}).find("all axes"), std::string::npos);
  EXPECT_NE(why(F32({4, 4}), {1}).find("behind batch"), std::string::npos);
  EXPECT_NE(why(ValueType::Tensor(DType::kF64, {1, 8, 4, 4}), {2, 3}).find("f64"), std::string::npos);
  ValueType gaps = F32({1, 8, 4, 4});
  gaps.layout = StorageLayout::Strided({256, 32, 8, 2});
  EXPECT_NE(why(gaps, {2, 3}).find("gaps"), std::string::npos);
}

}  // namespace
}  // namespace ge::testing
