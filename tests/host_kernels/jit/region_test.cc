#include <thread>

#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

struct JitRegion : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_jit.so is absent";
  }
  const Engine* engine = EngineOrNull("jit");
};

// FusedRegion of relu(x * scale + shift), and x * scale as a second output.
Node& ScaleShift(OneNode& g, const ValueType& x, const ValueType& scale, const ValueType& shift) {
  Graph& body = **g.module().AddGraph("body");
  Value *a = body.AddInput(x)->output(), *b = body.AddInput(scale)->output(), *c = body.AddInput(shift)->output();
  const auto add = [&](std::string_view op, std::vector<Value*> in) {
    auto n = body.Create({.op = op, .inputs = std::move(in), .attrs = {}, .name = {}, .loc = {}, .types = {}, .after = {}});
    GE_CHECK(n.ok(), n.message().c_str());
    return (*n)->output();
  };
  Value* product = add("Mul", {a, b});
  Value* y = add("Relu", {add("Add", {product, c})});
  body.SetOutputs({y, product});
  return g.Make("FusedRegion", {g.In(x), g.In(scale), g.In(shift)}, {{"body", Attr::GraphRef{"body"}}}, {x, x});
}

// Broadcasts by right-aligned shape.
float At(const Tensor& t, const std::vector<int64_t>& index) {
  const Shape& s = t.type().shape();
  int64_t offset = 0;
  for (size_t i = 0; i < s.size(); ++i) {
    const int64_t k = index[index.size() - s.size() + i];
    offset = offset * s[i].value() + (s[i].Is(1) ? 0 : k);
  }
  return t.data<float>()[offset];
}

TEST_F(JitRegion, BroadcastsEveryWay) {
  const std::vector<std::vector<int64_t>> others = {{}, {1}, {7}, {5, 7}, {5, 1}, {3, 1, 1}, {1, 5, 1}, {3, 5, 7}, {3, 1, 7}};
  const Tensor x = Random({3, 5, 7}, 1);
  for (const auto& ss : others) {
    for (const auto& ts : others) {
      SCOPED_TRACE(::testing::PrintToString(ss) + ::testing::PrintToString(ts));
      const Tensor scale = Random(ss, 2), shift = Random(ts, 3);
      OneNode g;
      const Node& node = ScaleShift(g, x.type(), scale.type(), shift.type());
      auto y = LoadAndRun(*engine, node, {x.data<void>(), scale.data<void>(), shift.data<void>()});
      for (int64_t i = 0; i < 105; ++i) {
        const std::vector<int64_t> at = {i / 35, i / 7 % 5, i % 7};
        const float product = At(x, at) * At(scale, at);
        ASSERT_EQ(y[1].f32()[i], product) << i;
        ASSERT_EQ(y[0].f32()[i], std::max(product + At(shift, at), 0.0f)) << i;
      }
    }
  }
}

TEST_F(JitRegion, AllLengthsAroundTheVectorWidthStayInBounds) {
  for (int64_t n = 1; n <= 70; ++n) {
    OneNode g;
    const Tensor x = Random({n}, static_cast<unsigned>(n));
    const Node& node = g.Make("Muls", {g.In(x.type())}, {{"value", 3}});
    auto kernel = engine->Load(node);
    ASSERT_TRUE(kernel.ok()) << kernel.message();
    auto y = RunOn(**kernel, node, {x.data<void>()});
    for (int64_t i = 0; i < n; ++i) ASSERT_EQ(y[0].f32()[i], 3 * x.data<float>()[i]);
    ASSERT_EQ(y[0].f32()[n], 0.0f) << "wrote past the end";  // the buffer has room, zero-filled
  }
}

TEST_F(JitRegion, LargeTensorsOnSeveralThreads) {
  const Tensor x = Random({1031, 257}, 1), row = Random({257}, 2), column = Random({1031, 1}, 3);
  OneNode g;
  const Node& node = ScaleShift(g, x.type(), row.type(), column.type());
  for (int threads : {1, 2, 3}) {
    auto y = LoadAndRun(*engine, node, {x.data<void>(), row.data<void>(), column.data<void>()}, threads);
    for (int64_t i = 0; i < x.num_elements(); ++i) ASSERT_EQ(y[1].f32()[i], x.data<float>()[i] * row.data<float>()[i % 257]);
  }
}

TEST_F(JitRegion, MasksAndNumbers) {
  const Tensor x = Random({40}, 1);
  OneNode g;
  Graph& body = **g.module().AddGraph("body");
  Value* a = body.AddInput(x.type())->output();
  const auto add = [&](std::string_view op, std::vector<Value*> in, AttrMap attrs) {
    auto n = body.Create({.op = op, .inputs = std::move(in), .attrs = std::move(attrs), .name = {}, .loc = {}, .types = {}, .after = {}});
    GE_CHECK(n.ok(), n.message().c_str());
    return (*n)->output();
  };
  Value* mask = add("Greater", {a}, {{"scalar", 0.5}});
  Value* minus = add("Sub", {nullptr, a}, {{"scalar", 1}});
  body.SetOutputs({add("SelectV2", {mask, minus, a}, {}), mask});
  const ValueType b = ValueType::Tensor(DType::kBool, {40});
  const Node& node = g.Make("FusedRegion", {g.In(x.type())}, {{"body", Attr::GraphRef{"body"}}}, {x.type(), b});
  auto y = LoadAndRun(*engine, node, {x.data<void>()});
  for (int i = 0; i < 40; ++i) {
    const float v = x.data<float>()[i];
    EXPECT_EQ(y[0].f32()[i], v > 0.5f ? 1 - v : v);
    EXPECT_EQ(static_cast<uint8_t*>(y[1].data())[i], v > 0.5f);
  }
}

TEST_F(JitRegion, ChannelsLastWithAChannelRow) {
  ValueType t = F32({2, 3, 4, 4});
  t.layout = StorageLayout::Strided({48, 1, 12, 3});
  const Tensor x = Random({2, 4, 4, 3}, 1), bias = Random({3, 1, 1}, 2);
  OneNode g;
  const Node& node = g.Make("Add", {g.In(t), g.In(bias.type())}, {}, {t});
  auto y = LoadAndRun(*engine, node, {x.data<void>(), bias.data<void>()});
  for (int i = 0; i < 96; ++i) ASSERT_EQ(y[0].f32()[i], x.data<float>()[i] + bias.data<float>()[i % 3]);
}

TEST_F(JitRegion, RefusesWithReasons) {
  OneNode g;
  const auto why = [&](std::string_view op, std::vector<ValueType> in, AttrMap attrs = {}) {
    std::vector<Value*> values;
    for (auto& t : in) values.push_back(g.In(t));
    return engine->Supports(g.Make(op, values, std::move(attrs))).reason;
  };
  EXPECT_NE(why("Exp", {ValueType::Tensor(DType::kF64, {4})}).find("f64"), std::string::npos);
  EXPECT_NE(why("Exp", {ValueType::Tensor(DType::kF32, {Dim::Symbol("s0")})}).find("static"), std::string::npos);
  EXPECT_NE(why("Exp", {F32({0})}).find("empty"), std::string::npos);
  EXPECT_NE(why("Sin", {F32({4})}).find("no code for Sin"), std::string::npos);
  EXPECT_NE(why("Exp", {F32({4})}, {{"base", 2.0}}).find("base"), std::string::npos);
  EXPECT_NE(why("Pow", {F32({4})}, {{"scalar", 2.5}}).find("exponent 2.5"), std::string::npos);
  ValueType column = F32({4, 4});
  column.layout = StorageLayout::Strided({1, 4});
  EXPECT_NE(engine->Supports(g.Make("Exp", {g.In(column)}, {}, {F32({4, 4})})).reason.find("stride 4"), std::string::npos);
}

TEST_F(JitRegion, LoadedAndRunByManyThreadsAtOnce) {
  const Tensor x = Random({1000}, 1);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        OneNode g;
        const double value = t % 2 + i;  // some structures shared, some not
        const Node& node = g.Make("Adds", {g.In(x.type())}, {{"value", value}});
        auto y = LoadAndRun(*engine, node, {x.data<void>()}, 1);
        for (int k = 0; k < 1000; ++k) ASSERT_EQ(y[0].f32()[k], x.data<float>()[k] + static_cast<float>(value));
      }
    });
  }
  for (auto& t : threads) t.join();
}

}  // namespace
}  // namespace ge::testing
