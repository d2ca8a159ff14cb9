#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

struct BatchMatMul : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_onednn.so is absent";
  }
  const Engine* engine = EngineOrNull("onednn");
};

TEST_F(BatchMatMul, AllTransposesEqualTheReference) {
  for (int mask = 0; mask < 4; ++mask) {
    const bool t1 = mask & 1, t2 = mask & 2;
    const int64_t b = 3, m = 5, k = 17, n = 9;
    OneNode g;
    const Tensor x = Random(t1 ? std::vector{b, k, m} : std::vector{b, m, k}, 1),
                 y = Random(t2 ? std::vector{b, n, k} : std::vector{b, k, n}, 2);
    const Node& node = g.Make("BatchMatMul", {g.In(x.type()), g.In(y.type())}, {{"adj_x1", t1}, {"adj_x2", t2}});
    auto z = LoadAndRun(*engine, node, {x.data<void>(), y.data<void>()});
    ExpectClose(z[0].f32(), Reference(node, {&x, &y})[0].data<float>(), b * m * n, 1e-6);
  }
}

TEST_F(BatchMatMul, BatchAxesBroadcast) {
  const std::vector<std::pair<std::vector<int64_t>, std::vector<int64_t>>> shapes = {
      {{2, 1, 4, 6}, {1, 3, 6, 5}}, {{4, 6}, {2, 3, 6, 5}}, {{2, 3, 4, 6}, {6, 5}}, {{1, 1, 1, 6}, {2, 1, 6, 1}}};
  for (const auto& [a, b] : shapes) {
    OneNode g;
    const Tensor x = Random(a, 1), y = Random(b, 2);
    const Node& node = g.Make("BatchMatMulV2", {g.In(x.type()), g.In(y.type())});
    auto z = LoadAndRun(*engine, node, {x.data<void>(), y.data<void>()});
    const Tensor r = Reference(node, {&x, &y})[0];
    ExpectClose(z[0].f32(), r.data<float>(), r.num_elements(), 1e-6);
  }
}

TEST_F(BatchMatMul, RefusesVectors) {
  OneNode g;
  const Node& node = g.Make("BatchMatMulV2", {g.In(F32({2, 3, 4})), g.In(F32({4}))});
  EXPECT_NE(engine->Supports(node).reason.find("vector"), std::string::npos);
}

}  // namespace
}  // namespace ge::testing
