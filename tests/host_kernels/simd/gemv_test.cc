// Matrix times vector against sums in double.
#include <bit>

#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

struct SimdGemv : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_simd.so is absent";
  }
  const Engine* engine = EngineOrNull("simd");
};

uint16_t ToBF16(float v) { return static_cast<uint16_t>((std::bit_cast<uint32_t>(v) + 0x8000U) >> 16); }
float FromBF16(uint16_t v) { return std::bit_cast<float>(static_cast<uint32_t>(v) << 16); }

std::vector<float> Definition(const float* x, const float* w, const float* b, int64_t depth, int64_t columns, int64_t step) {
  std::vector<float> y;
  for (int64_t n = 0; n < columns; ++n) {
    double sum = b ? static_cast<double>(b[n]) : 0.0;
    for (int64_t k = 0; k < depth; ++k) sum += static_cast<double>(x[k]) * static_cast<double>(w[n * step + k]);
    y.push_back(static_cast<float>(sum));
  }
  return y;
}

// Depths of less than a vector, of whole steps and rests; columns for one thread and for two.
const int64_t kDepths[] = {1, 3, 16, 63, 64, 65, 130, 512, 2053};
const int64_t kColumns[] = {1, 2, 5, 600};

TEST_F(SimdGemv, EqualsTheSumOfProducts) {
  for (int64_t depth : kDepths)
    for (int64_t columns : kColumns)
      for (bool biased : {false, true})
        for (int threads : {1, 2}) {
          SCOPED_TRACE(::testing::Message() << depth << " x " << columns);
          const Tensor x = Random({1, 1, depth}, 1), w = Random({columns, depth}, 2), b = Random({columns}, 3);
          OneNode g;
          std::vector<Value*> in = {g.In(x.type()), g.In(w.type())};
          if (biased) in.push_back(g.In(b.type()));
          const Node& node = g.Make("MatMulV2", in, {{"transpose_x2", true}});
          auto y = LoadAndRun(*engine, node, {x.data<void>(), w.data<void>(), biased ? b.data<void>() : nullptr}, threads);
          const auto want = Definition(x.data<float>(), w.data<float>(), biased ? b.data<float>() : nullptr, depth, columns, depth);
          ExpectClose(y[0].f32(), want.data(), columns, 1e-6);
        }
}

TEST_F(SimdGemv, ReadsWeightsByStrides) {
  const int64_t depth = 70, columns = 9, step = 75;
  const Tensor x = Random({depth, 1}, 1), w = Random({columns, step}, 2);
  const auto want = Definition(x.data<float>(), w.data<float>(), nullptr, depth, columns, step);
  for (bool transposed : {false, true}) {
    ValueType type = transposed ? F32({columns, depth}) : F32({depth, columns});
    type.layout = StorageLayout::Strided(transposed ? std::vector<Dim>{step, 1} : std::vector<Dim>{1, step});
    OneNode g;
    const Node& node = g.Make("MatMulV2", {g.In(x.type()), g.In(type)}, {{"transpose_x1", true}, {"transpose_x2", transposed}});
    auto y = LoadAndRun(*engine, node, {x.data<void>(), w.data<void>()});
    ExpectClose(y[0].f32(), want.data(), columns, 1e-6);
  }
}

TEST_F(SimdGemv, BF16IsRoundedOnce) {
  const int64_t depth = 201, columns = 300;
  const Tensor x = Random({1, depth}, 1), w = Random({columns, depth}, 2), b = Random({columns}, 3);
  const auto narrow = [](const Tensor& t) {
    std::vector<uint16_t> v;
    for (int64_t i = 0; i < t.num_elements(); ++i) v.push_back(ToBF16(t.data<float>()[i]));
    return v;
  };
  const auto widen = [](const std::vector<uint16_t>& v) {
    std::vector<float> f;
    for (uint16_t i : v) f.push_back(FromBF16(i));
    return f;
  };
  const auto hx = narrow(x), hw = narrow(w), hb = narrow(b);
  OneNode g;
  const auto half = [](std::vector<int64_t> shape) { return ValueType::Tensor(DType::kBF16, Shape(shape.begin(), shape.end())); };
  const Node& node = g.Make("MatMulV2", {g.In(half({1, depth})), g.In(half({columns, depth})), g.In(half({columns}))}, {{"transpose_x2", true}});
  auto y = LoadAndRun(*engine, node, {hx.data(), hw.data(), hb.data()});
  const auto want = Definition(widen(hx).data(), widen(hw).data(), widen(hb).data(), depth, columns, depth);
  for (int64_t n = 0; n < columns; ++n) {
    const float got = FromBF16(static_cast<uint16_t*>(y[0].data())[n]), wanted = want[static_cast<size_t>(n)];
    // Half a unit in the last of 8 bits, and what sums in float lose.
    EXPECT_LE(std::abs(got - wanted), std::abs(wanted) / 256 + 1e-4F) << n;
  }
}

TEST_F(SimdGemv, NanAndInfinitySpreadAsInTheDefinition) {
  const int64_t depth = 100, columns = 4;
  Tensor x = Random({1, depth}, 1), w = Random({columns, depth}, 2);
  w.mutable_data<float>()[99] = std::numeric_limits<float>::quiet_NaN();
  w.mutable_data<float>()[100 + 3] = std::numeric_limits<float>::infinity();
  x.mutable_data<float>()[3] = 0;  // 0 * inf
  OneNode g;
  const Node& node = g.Make("MatMulV2", {g.In(x.type()), g.In(w.type())}, {{"transpose_x2", true}});
  auto y = LoadAndRun(*engine, node, {x.data<void>(), w.data<void>()});
  EXPECT_TRUE(std::isnan(y[0].f32()[0]));
  EXPECT_TRUE(std::isnan(y[0].f32()[1]));
  EXPECT_TRUE(std::isfinite(y[0].f32()[2]) && std::isfinite(y[0].f32()[3]));
}

TEST_F(SimdGemv, RefusesWithReasons) {
  OneNode g;
  const auto why = [&](ValueType x, ValueType w, bool transposed = true) {
    return engine->Supports(g.Make("MatMulV2", {g.In(std::move(x)), g.In(std::move(w))}, {{"transpose_x2", transposed}})).reason;
  };
  EXPECT_NE(why(F32({2, 8}), F32({4, 8})).find("several rows"), std::string::npos);
  EXPECT_NE(why(F32({1, 8}), F32({8, 4}), false).find("does not lie in one row"), std::string::npos);
  EXPECT_NE(why(ValueType::Tensor(DType::kF64, {1, 8}), ValueType::Tensor(DType::kF64, {4, 8})).find("f64"), std::string::npos);
  EXPECT_NE(why(ValueType::Tensor(DType::kF32, {1, Dim::Symbol("s0")}), ValueType::Tensor(DType::kF32, {4, Dim::Symbol("s0")})).find("dynamic"),
            std::string::npos);
  ValueType gaps = F32({1, 8});
  gaps.layout = StorageLayout::Strided({16, 2});
  EXPECT_NE(why(gaps, F32({4, 8})).find("gaps"), std::string::npos);
}

}  // namespace
}  // namespace ge::testing
