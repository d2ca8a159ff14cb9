// Attention of one query against the definition.
#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct SimdAttention : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_simd.so is absent";
  }
  const Engine* engine = EngineOrNull("simd");
};

// softmax(q k^T / sqrt(d) + mask) v in double; 0 where every key is masked. mask: one row for all heads, or empty.
std::vector<float> Definition(const Tensor& q, const Tensor& k, const Tensor& v, const std::vector<float>& mask) {
  const auto extent = [](const Tensor& t, size_t i) { return t.type().shape()[i].value(); };
  const int64_t heads = extent(q, 1), size = extent(q, 3), keys = extent(k, 2), group = heads / extent(k, 1), width = extent(v, 3);
  std::vector<float> y;
  for (int64_t bh = 0; bh < extent(q, 0) * heads; ++bh) {
    const int64_t kv = bh / heads * extent(k, 1) + bh % heads / group;
    std::vector<double> s(static_cast<size_t>(keys));
    double most = -kInfinity, total = 0;
    for (int64_t t = 0; t < keys; ++t) {
      double sum = 0;
      for (int64_t i = 0; i < size; ++i)
        sum += static_cast<double>(q.data<float>()[bh * size + i]) * k.data<float>()[(kv * keys + t) * size + i];
      s[static_cast<size_t>(t)] = sum / std::sqrt(static_cast<double>(size)) + (mask.empty() ? 0.0 : mask[static_cast<size_t>(t)]);
      most = std::max(most, s[static_cast<size_t>(t)]);
    }
    for (double& e : s) total += e = most == -kInfinity ? 0 : std::exp(e - most);
    for (int64_t i = 0; i < width; ++i) {
      double sum = 0;
      for (int64_t t = 0; t < keys; ++t) sum += s[static_cast<size_t>(t)] * v.data<float>()[(kv * keys + t) * width + i];
      y.push_back(static_cast<float>(total == 0 ? 0 : sum / total));
    }
  }
  return y;
}

TEST_F(SimdAttention, MasksAndSharedHeads) {
  const Tensor q = Random({2, 6, 1, 24}, 1), v = Random({2, 6, 37, 24}, 3), k = Random({2, 6, 37, 24}, 2);
  std::vector<float> additive(37, 0.0F);
  std::vector<uint8_t> keep(37, 1);
  for (size_t i = 0; i < 37; i += 3) additive[i] = -kInfinity, keep[i] = 0;
  const auto run = [&](const Tensor& kk, const Tensor& vv, DType mask_type, const void* mask) {
    OneNode g;
    std::vector<Value*> in = {g.In(q.type()), g.In(kk.type()), g.In(vv.type())};
    if (mask) in.push_back(g.In(ValueType::Tensor(mask_type, {1, 1, 1, 37})));
    const Node& node = g.Make("ScaledDotProductAttention", in, {}, {q.type()});
    return LoadAndRun(*engine, node, {q.data<void>(), kk.data<void>(), vv.data<void>(), mask});
  };
  const auto expect = [&](std::vector<Buffer> got, const std::vector<float>& want) {
    ExpectClose(got[0].f32(), want.data(), static_cast<int64_t>(want.size()), 1e-6);
  };
  expect(run(k, v, DType::kF32, nullptr), Definition(q, k, v, {}));
  expect(run(k, v, DType::kBool, keep.data()), Definition(q, k, v, additive));
  expect(run(k, v, DType::kF32, additive.data()), Definition(q, k, v, additive));
  // Every key masked: 0, as PyTorch's safe softmax has it.
  const std::vector<float> all(37, -kInfinity);
  expect(run(k, v, DType::kF32, all.data()), Definition(q, k, v, all));
}

TEST_F(SimdAttention, ANanSpoilsItsHeadOnly) {
  Tensor q = Random({1, 2, 1, 8}, 1);
  const Tensor k = Random({1, 2, 5, 8}, 2), v = Random({1, 2, 5, 8}, 3);
  q.mutable_data<float>()[3] = std::numeric_limits<float>::quiet_NaN();
  OneNode g;
  const Node& node = g.Make("ScaledDotProductAttention", {g.In(q.type()), g.In(k.type()), g.In(v.type())}, {}, {q.type()});
  auto got = LoadAndRun(*engine, node, {q.data<void>(), k.data<void>(), v.data<void>()});
  for (int i = 0; i < 16; ++i) EXPECT_EQ(std::isnan(got[0].f32()[i]), i < 8) << i;
}

}  // namespace
}  // namespace ge::testing
