#include <thread>

#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

struct MatMul : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_onednn.so is absent";
  }
  const Engine* engine = EngineOrNull("onednn");
};

AttrMap Transposes(bool t1, bool t2) { return {{"transpose_x1", t1}, {"transpose_x2", t2}}; }

TEST_F(MatMul, AllTransposesWithAndWithoutBiasEqualTheReference) {
  for (int mask = 0; mask < 8; ++mask) {
    const bool t1 = mask & 1, t2 = mask & 2, bias = mask & 4;
    const int64_t m = 5, k = 37, n = 19;
    OneNode g;
    const Tensor x = Random(t1 ? std::vector{k, m} : std::vector{m, k}, 1), w = Random(t2 ? std::vector{n, k} : std::vector{k, n}, 2),
                 b = Random({n}, 3);
    std::vector<Value*> in = {g.In(x.type()), g.In(w.type())};
    if (bias) in.push_back(g.In(b.type()));
    const Node& node = g.Make("MatMulV2", in, Transposes(t1, t2));
    auto y = LoadAndRun(*engine, node, {x.data<void>(), w.data<void>(), bias ? b.data<void>() : nullptr});
    ExpectClose(y[0].f32(), Reference(node, {&x, &w, bias ? &b : nullptr})[0].data<float>(), m * n, 1e-6);
  }
}

TEST_F(MatMul, LeadingAxesAreRows) {
  OneNode g;
  const Tensor x = Random({2, 3, 8}, 1), w = Random({4, 8}, 2);
  const Node& node = g.Make("MatMulV2", {g.In(x.type()), g.In(w.type())}, Transposes(false, true));
  auto y = LoadAndRun(*engine, node, {x.data<void>(), w.data<void>()});
  ExpectClose(y[0].f32(), Reference(node, {&x, &w})[0].data<float>(), 24, 1e-6);
}

TEST_F(MatMul, ReadsStrides) {
  OneNode g;
  const Tensor x = Random({3, 8}, 1), w = Random({4, 8}, 2);
  ValueType wt = F32({8, 4}), yt = F32({3, 4});
  wt.layout = StorageLayout::Strided({1, 8});  // w transposed, seen as [8,4]
  yt.layout = StorageLayout::Strided({1, 3});  // result column-major: the library has slow code only
  const Node& node = g.Make("MatMulV2", {g.In(x.type()), g.In(wt)});
  EXPECT_NE(engine->Supports(g.Make("MatMulV2", {g.In(x.type()), g.In(wt)}, {}, {yt})).reason.find("reference"), std::string::npos);
  auto y = LoadAndRun(*engine, node, {x.data<void>(), w.data<void>()});
  OneNode plain;
  const Node& reference = plain.Make("MatMulV2", {plain.In(x.type()), plain.In(w.type())}, Transposes(false, true));
  const Tensor r = Reference(reference, {&x, &w})[0];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 4; ++j) EXPECT_NEAR(y[0].f32()[i * 4 + j], r.data<float>()[i * 4 + j], 1e-5);
}

// The weight goes through TransData with nothing but the layout's text, as after loading a file.
TEST_F(MatMul, PackedWeightGivesTheSameResult) {
  for (int mask = 0; mask < 4; ++mask) {
    const bool t2 = mask & 1;
    // Not multiples of the blocks; a sum so long that it is computed in parts.
    const int64_t m = mask & 2 ? 1 : 7, k = mask & 2 ? 2560 : 65, n = 130;
    const Tensor x = Random({m, k}, 1), w = Random(t2 ? std::vector{n, k} : std::vector{k, n}, 2), b = Random({n}, 3);
    OneNode g;
    Value *xv = g.In(x.type()), *wv = g.In(w.type()), *bv = g.In(b.type());
    const Node& plain = g.Make("MatMulV2", {xv, wv, bv}, Transposes(false, t2));
    const auto wishes = engine->Preferences(plain);
    ASSERT_EQ(wishes.size(), 1u);
    EXPECT_EQ(wishes[0].operand, 1);
    ValueType packed = w.type();
    packed.layout = wishes[0].layout;
    ASSERT_TRUE(packed.layout.PackedBytes());
    EXPECT_GE(*packed.layout.PackedBytes(), w.type().StaticBytes());
    const Node& pack = g.Make("TransData", {wv}, {}, {packed});
    auto packed_w = LoadAndRun(*engine, pack, {w.data<void>()});
    const Node& fast = g.Make("MatMulV2", {xv, pack.output(), bv}, Transposes(false, t2));
    EXPECT_TRUE(engine->Preferences(fast).empty());
    auto y = LoadAndRun(*engine, fast, {x.data<void>(), packed_w[0].data(), b.data<void>()});
    const Tensor r = Reference(plain, {&x, &w, &b})[0];
    ExpectClose(y[0].f32(), r.data<float>(), m * n, 2e-6);
    auto z = LoadAndRun(*engine, plain, {x.data<void>(), w.data<void>(), b.data<void>()});
    ExpectClose(z[0].f32(), r.data<float>(), m * n, 2e-6);
  }
}

TEST_F(MatMul, RefusesWithReasons) {
  OneNode g;
  const auto why = [&](ValueType x, ValueType w) {
    return engine->Supports(g.Make("MatMulV2", {g.In(std::move(x)), g.In(std::move(w))})).reason;
  };
  EXPECT_NE(why(ValueType::Tensor(DType::kF64, {2, 3}), ValueType::Tensor(DType::kF64, {3, 4})).find("f64"), std::string::npos);
  EXPECT_NE(why(ValueType::Tensor(DType::kF32, {Dim::Symbol("s0"), 3}), F32({3, 4})).find("dynamic shape"), std::string::npos);
  EXPECT_NE(why(F32({0, 3}), F32({3, 4})).find("empty"), std::string::npos);
  ValueType expanded = F32({2, 3});
  expanded.layout = StorageLayout::Strided({0, 1});
  EXPECT_NE(why(expanded, F32({3, 4})).find("expanded"), std::string::npos);
  ValueType hole = F32({2, 3});
  hole.layout = StorageLayout::Strided({6, 2});
  EXPECT_NE(why(hole, F32({3, 4})).find("strides"), std::string::npos);
  EXPECT_NE(engine->Supports(g.Make("Relu", {g.In(F32({2}))})).reason.find("no kernel for Relu"), std::string::npos);
}

TEST_F(MatMul, HostilePackedNamesAreRefused) {
  for (const char* name : {"onednn:", "onednn:x", "onednn:16:", "onednn:16:s1,1;p2,2;b", "onednn:16:s1,1;p2,2;b0@0",
                           "onednn:16:s1,1;p2,2;b2@7", "onednn:16:s1099511627775,1099511627775;p1048576,2;b2@0", "onednn:4:s2,1;p2,2;b2@0",
                           "onednn:99999999999999999999:s1,1;p2,2;b2@0", "onednn:16:g3;s1,1,1;p2,2,2;b2@0", "onednn:16:s1,1;p2,2;b2@0junk",
                           "onednn:16:s2,1;p1,2;b2@0", "onednn:16:s1,1;p2,2;b2@0,2@0,2@0,2@0,2@0,2@0,2@0,2@0,2@0,2@0,2@0,2@0,2@0",
                           "onednn:16:c3;s1,1,1;p2,2,2;b2@0", "onednn:16:c0;s1,1;p2,2;b2@0", "onednn:16:r;s1,1;p2,2;b2@0", "other:16:x"}) {
    OneNode g;
    ValueType packed = F32({2, 2});
    packed.layout = StorageLayout::Packed(name);
    const Support s = engine->Supports(g.Make("TransData", {g.In(F32({2, 2}))}, {}, {packed}));
    EXPECT_FALSE(s.ok) << name;
    EXPECT_FALSE(s.reason.empty()) << name;
  }
}

TEST_F(MatMul, OneKernelSeveralThreads) {
  const Tensor x = Random({64, 64}, 1), w = Random({64, 64}, 2);
  OneNode g;
  const Node& node = g.Make("MatMulV2", {g.In(x.type()), g.In(w.type())});
  auto kernel = engine->Load(node);
  ASSERT_TRUE(kernel.ok()) << kernel.message();
  const Tensor r = Reference(node, {&x, &w})[0];
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 20; ++i) {
        auto y = RunOn(**kernel, node, {x.data<void>(), w.data<void>()}, 1);
        ExpectClose(y[0].f32(), r.data<float>(), 64 * 64, 1e-6);
      }
    });
  }
  for (auto& t : threads) t.join();
}

TEST_F(MatMul, UnboundOperandIsAnError) {
  OneNode g;
  const Node& node = g.Make("MatMulV2", {g.In(F32({2, 2})), g.In(F32({2, 2}))});
  auto kernel = engine->Load(node);
  ASSERT_TRUE(kernel.ok());
  KernelContext nothing;
  EXPECT_FALSE((*kernel)->Run(nothing).ok());
}

}  // namespace
}  // namespace ge::testing
