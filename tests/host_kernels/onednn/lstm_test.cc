// One LSTM layer against the recurrence written out.
#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

struct Lstm : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_onednn.so is absent";
  }
  const Engine* engine = EngineOrNull("onednn");
};

double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

TEST_F(Lstm, BothDirectionsPlainAndPackedEqualTheRecurrence) {
  const int64_t time = 5, batch = 3, in = 7, hidden = 16;
  const std::vector<Tensor> t = {Random({time, batch, in}, 1), Random({4 * hidden, in}, 2), Random({4 * hidden, hidden}, 3),
                                 Random({4 * hidden}, 4),      Random({4 * hidden}, 5),     Random({1, batch, hidden}, 6),
                                 Random({1, batch, hidden}, 7)};
  for (bool reverse : {false, true}) {
    std::vector<float> y(static_cast<size_t>(time * batch * hidden)), h(t[5].data<float>(), t[5].data<float>() + batch * hidden),
        c(t[6].data<float>(), t[6].data<float>() + batch * hidden);
    for (int64_t step = 0; step < time; ++step) {
      const int64_t at = reverse ? time - 1 - step : step;
      const std::vector<float> before = h;
      for (int64_t b = 0; b < batch; ++b)
        for (int64_t j = 0; j < hidden; ++j) {
          double gate[4];
          for (int64_t g = 0; g < 4; ++g) {
            const int64_t row = g * hidden + j;
            gate[g] = t[3].data<float>()[row] + t[4].data<float>()[row];
            for (int64_t i = 0; i < in; ++i) gate[g] += t[1].data<float>()[row * in + i] * t[0].data<float>()[(at * batch + b) * in + i];
            for (int64_t i = 0; i < hidden; ++i)
              gate[g] += t[2].data<float>()[row * hidden + i] * before[static_cast<size_t>(b * hidden + i)];
          }
          float& cell = c[static_cast<size_t>(b * hidden + j)];
          cell = static_cast<float>(Sigmoid(gate[1]) * cell + Sigmoid(gate[0]) * std::tanh(gate[2]));
          h[static_cast<size_t>(b * hidden + j)] = static_cast<float>(Sigmoid(gate[3]) * std::tanh(cell));
          y[static_cast<size_t>((at * batch + b) * hidden + j)] = h[static_cast<size_t>(b * hidden + j)];
        }
    }
    OneNode g;
    std::vector<Value*> operands;
    std::vector<const void*> data;
    for (const Tensor& x : t) operands.push_back(g.In(x.type())), data.push_back(x.data<void>());
    const AttrMap attrs = {{"reverse", reverse}, {"mode", int64_t{2}},     {"hidden_size", hidden}, {"num_layers", int64_t{1}},
                           {"has_biases", true}, {"bidirectional", false}, {"batch_first", false},  {"train", false}};
    const Node& plain = g.Make("MkldnnRnnLayer", operands, attrs);
    const auto check = [&](std::vector<Buffer> got) {
      ASSERT_EQ(got.size(), 3u);
      ExpectClose(got[0].f32(), y.data(), time * batch * hidden, 2e-6);
      ExpectClose(got[1].f32(), h.data(), batch * hidden, 2e-6);
      ExpectClose(got[2].f32(), c.data(), batch * hidden, 2e-6);
    };
    check(LoadAndRun(*engine, plain, data));
    std::vector<std::vector<Buffer>> packed;
    for (const LayoutPreference& wish : engine->Preferences(plain)) {
      const auto i = static_cast<size_t>(wish.operand);
      ValueType type = t[i].type();
      type.layout = wish.layout;
      const Node& pack = g.Make("TransData", {operands[i]}, {}, {type});
      packed.push_back(LoadAndRun(*engine, pack, {t[i].data<void>()}));
      operands[i] = pack.output();
      data[i] = packed.back()[0].data();
    }
    check(LoadAndRun(*engine, g.Make("MkldnnRnnLayer", operands, attrs), data));
  }
}

}  // namespace
}  // namespace ge::testing
