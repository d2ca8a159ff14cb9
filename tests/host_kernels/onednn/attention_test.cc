// Attention of several queries against the definition in double.
#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

struct OneDnnAttention : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_onednn.so is absent";
  }
  const Engine* engine = EngineOrNull("onednn");
};

struct Sizes {
  int64_t batch, heads, key_heads, queries, keys, size, value_size;
};

struct Wanted {
  std::vector<float> y, lse;
};

// softmax(q k^T scale + mask) v; `mask(b, h, query, key)` is added, -inf where a key does not take part.
template <typename Mask>
Wanted Definition(const Sizes& s, const float* q, const float* k, const float* v, double scale, Mask&& mask) {
  Wanted w;
  for (int64_t b = 0; b < s.batch; ++b)
    for (int64_t h = 0; h < s.heads; ++h) {
      const int64_t kv = b * s.key_heads + h / (s.heads / s.key_heads);
      for (int64_t i = 0; i < s.queries; ++i) {
        std::vector<double> e(static_cast<size_t>(s.keys));
        double most = -kInfinity, total = 0;
        for (int64_t t = 0; t < s.keys; ++t) {
          double sum = 0;
          for (int64_t d = 0; d < s.size; ++d)
            sum += static_cast<double>(q[((b * s.heads + h) * s.queries + i) * s.size + d]) * static_cast<double>(k[(kv * s.keys + t) * s.size + d]);
          e[static_cast<size_t>(t)] = sum * scale + mask(b, h, i, t);
          most = std::max(most, e[static_cast<size_t>(t)]);
        }
        for (double& x : e) total += x = most == -kInfinity ? 0 : std::exp(x - most);
        for (int64_t d = 0; d < s.value_size; ++d) {
          double sum = 0;
          for (int64_t t = 0; t < s.keys; ++t) sum += e[static_cast<size_t>(t)] * static_cast<double>(v[(kv * s.keys + t) * s.value_size + d]);
          w.y.push_back(static_cast<float>(total == 0 ? 0 : sum / total));
        }
        w.lse.push_back(static_cast<float>(most + std::log(total)));
      }
    }
  return w;
}

// One block and several, rests of a block, sizes of no whole vector.
const Sizes kSizes[] = {{1, 2, 2, 5, 7, 8, 8}, {2, 4, 4, 130, 33, 16, 24}, {1, 3, 3, 64, 64, 64, 64}, {1, 1, 1, 301, 517, 20, 12}, {1, 2, 2, 40, 5000, 8, 8}};

TEST_F(OneDnnAttention, EqualsTheDefinition) {
  for (const Sizes& s : kSizes)
    for (bool causal : {false, true})
      for (int threads : {1, 2}) {
        SCOPED_TRACE(::testing::Message() << s.queries << " queries, " << s.keys << " keys, causal " << causal);
        const Tensor q = Random({s.batch, s.heads, s.queries, s.size}, 1), k = Random({s.batch, s.key_heads, s.keys, s.size}, 2),
                     v = Random({s.batch, s.key_heads, s.keys, s.value_size}, 3);
        OneNode g;
        AttrMap attrs = {{"is_causal", causal}, {"scale", 0.3}};
        const Node& node = g.Make("ScaledDotProductAttention", {g.In(q.type()), g.In(k.type()), g.In(v.type())}, attrs,
                                  {F32({s.batch, s.heads, s.queries, s.value_size})});
        auto y = LoadAndRun(*engine, node, {q.data<void>(), k.data<void>(), v.data<void>()}, threads);
        const Wanted w = Definition(s, q.data<float>(), k.data<float>(), v.data<float>(), 0.3,
                                    [&](int64_t, int64_t, int64_t i, int64_t t) { return causal && t > i ? -kInfinity : 0.0F; });
        ExpectClose(y[0].f32(), w.y.data(), static_cast<int64_t>(w.y.size()), 2e-6);
      }
}

TEST_F(OneDnnAttention, MasksBroadcastOverAnyAxis) {
  const Sizes s{2, 3, 3, 9, 11, 8, 8};
  const Tensor q = Random({2, 3, 9, 8}, 1), k = Random({2, 3, 11, 8}, 2), v = Random({2, 3, 11, 8}, 3);
  for (const std::vector<int64_t>& shape : {std::vector<int64_t>{9, 11}, {1, 1, 1, 11}, {2, 3, 9, 11}, {2, 1, 9, 1}, {3, 1, 11}})
    for (bool boolean : {false, true}) {
      SCOPED_TRACE(::testing::PrintToString(shape));
      int64_t count = 1;
      for (int64_t d : shape) count *= d;
      std::vector<float> terms(static_cast<size_t>(count));
      std::vector<uint8_t> bits(static_cast<size_t>(count));
      for (size_t i = 0; i < terms.size(); ++i) {
        bits[i] = i % 3 != 1;
        terms[i] = boolean ? (bits[i] ? 0.0F : -kInfinity) : static_cast<float>(i % 5) - 2;
      }
      OneNode g;
      const Node& node = g.Make("ScaledDotProductAttention",
                                {g.In(q.type()), g.In(k.type()), g.In(v.type()),
                                 g.In(ValueType::Tensor(boolean ? DType::kBool : DType::kF32, Shape(shape.begin(), shape.end())))},
                                {}, {q.type()});
      auto y = LoadAndRun(*engine, node,
                          {q.data<void>(), k.data<void>(), v.data<void>(), boolean ? static_cast<const void*>(bits.data()) : terms.data()});
      const auto at = [&](int64_t b, int64_t h, int64_t i, int64_t t) {
        const int64_t index[4] = {b, h, i, t};
        int64_t offset = 0;
        const size_t missing = 4 - shape.size();
        for (size_t d = 0; d < shape.size(); ++d) offset = offset * shape[d] + (shape[d] == 1 ? 0 : index[missing + d]);
        return terms[static_cast<size_t>(offset)];
      };
      const Wanted w = Definition(s, q.data<float>(), k.data<float>(), v.data<float>(), 1 / std::sqrt(8.0), at);
      ExpectClose(y[0].f32(), w.y.data(), static_cast<int64_t>(w.y.size()), 2e-6);
    }
}

// What a transformer hands over: heads inside positions, and the result likewise; beside it the log of the sums.
TEST_F(OneDnnAttention, ReadsAndWritesByStrides) {
  const Sizes s{2, 3, 3, 10, 12, 8, 8};
  const auto swap = [](const Tensor& t) {  // [b, h, l, d] -> memory of [b, l, h, d]
    const auto e = [&](size_t i) { return t.type().shape()[i].value(); };
    std::vector<float> m(static_cast<size_t>(t.num_elements()));
    for (int64_t b = 0, i = 0; b < e(0); ++b)
      for (int64_t h = 0; h < e(1); ++h)
        for (int64_t l = 0; l < e(2); ++l)
          for (int64_t d = 0; d < e(3); ++d) m[static_cast<size_t>(((b * e(2) + l) * e(1) + h) * e(3) + d)] = t.data<float>()[i++];
    return m;
  };
  const auto swapped = [](std::vector<int64_t> shape) {
    ValueType t = F32(shape);
    t.layout = StorageLayout::Strided({shape[1] * shape[2] * shape[3], shape[3], shape[1] * shape[3], 1});
    return t;
  };
  const Tensor q = Random({2, 3, 10, 8}, 1), k = Random({2, 3, 12, 8}, 2), v = Random({2, 3, 12, 8}, 3);
  const std::vector<float> qm = swap(q), km = swap(k), vm = swap(v);
  OneNode g;
  const Node& node = g.Make("FusedInferAttentionScore", {g.In(swapped({2, 3, 10, 8})), g.In(swapped({2, 3, 12, 8})), g.In(swapped({2, 3, 12, 8}))},
                            {}, {swapped({2, 3, 10, 8}), F32({2, 3, 10})});
  auto y = LoadAndRun(*engine, node, {qm.data(), km.data(), vm.data()});
  const Wanted w = Definition(s, q.data<float>(), k.data<float>(), v.data<float>(), 1 / std::sqrt(8.0),
                              [](int64_t, int64_t, int64_t, int64_t) { return 0.0F; });
  Tensor want(F32({2, 3, 10, 8}));
  std::copy(w.y.begin(), w.y.end(), want.mutable_data<float>());
  ExpectClose(y[0].f32(), swap(want).data(), want.num_elements(), 2e-6);
  ExpectClose(y[1].f32(), w.lse.data(), static_cast<int64_t>(w.lse.size()), 2e-6);
}

TEST_F(OneDnnAttention, MaskedRowsAreZeroAndANanSpoilsItsRowOnly) {
  Tensor q = Random({1, 1, 6, 8}, 1);
  const Tensor k = Random({1, 1, 5, 8}, 2), v = Random({1, 1, 5, 8}, 3);
  q.mutable_data<float>()[2 * 8 + 3] = std::numeric_limits<float>::quiet_NaN();
  std::vector<uint8_t> bits(30, 1);
  std::fill(bits.begin() + 20, bits.begin() + 25, uint8_t{0});  // query 4
  OneNode g;
  const Node& node = g.Make("ScaledDotProductAttention",
                            {g.In(q.type()), g.In(k.type()), g.In(v.type()), g.In(ValueType::Tensor(DType::kBool, {6, 5}))}, {}, {q.type()});
  auto y = LoadAndRun(*engine, node, {q.data<void>(), k.data<void>(), v.data<void>(), bits.data()});
  for (int i = 0; i < 48; ++i) {
    EXPECT_EQ(std::isnan(y[0].f32()[i]), i / 8 == 2) << i;
    if (i / 8 == 4) { EXPECT_EQ(y[0].f32()[i], 0.0F) << i; }
  }
}

TEST_F(OneDnnAttention, RefusesWithReasons) {
  OneNode g;
  const auto why = [&](ValueType q, ValueType k) {
    return engine->Supports(g.Make("ScaledDotProductAttention", {g.In(q), g.In(k), g.In(k)}, {}, {q})).reason;
  };
  const auto f64 = [](std::vector<int64_t> shape) { return ValueType::Tensor(DType::kF64, Shape(shape.begin(), shape.end())); };
  EXPECT_NE(why(f64({1, 2, 4, 8}), f64({1, 2, 4, 8})).find("f64"), std::string::npos);
  ValueType expanded = F32({1, 2, 4, 8});
  expanded.layout = StorageLayout::Strided({64, 32, 0, 1});
  EXPECT_NE(why(F32({1, 2, 4, 8}), expanded).find("overlap"), std::string::npos);
}

}  // namespace
}  // namespace ge::testing
