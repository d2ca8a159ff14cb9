// Winograd's algorithm against sums in double and against the direct convolution.
#include "ge_core/ir/algorithm.h"
#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();

ValueType LastF32(std::vector<int64_t> shape) {
  ValueType t = F32(std::move(shape));
  t.layout = ChannelsLast(t.shape());
  return t;
}

struct Winograd : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_onednn.so is absent";
    // Without it (another instruction set) the algorithm is refused or runs just as well: nothing here depends on which.
  }
  const Engine* engine = EngineOrNull("onednn");

  AttrMap Attrs(bool winograd) {
    AttrMap a = {{"strides", Attr::Ints({1, 1})}, {"pads", Attr::Ints({1, 1})}, {"dilations", Attr::Ints({1, 1})}};
    if (winograd) a.Set(kAlgorithmMark, Attr(std::string(kWinograd)));
    return a;
  }

  // x and y in memory order [N, H, W, C].
  struct Problem {
    int64_t batch, in, out, height, width;
    std::vector<float> x;
    Tensor w, b;
  };
  Problem Make(int64_t batch, int64_t in, int64_t out, int64_t height, int64_t width) {
    const Tensor x = Random({batch, height, width, in}, 1);
    return {batch, in, out, height, width, {x.data<float>(), x.data<float>() + x.num_elements()}, Random({out, in, 3, 3}, 2), Random({out}, 3)};
  }
  std::vector<double> Definition(const Problem& p, bool biased) {
    std::vector<double> y(static_cast<size_t>(p.batch * p.height * p.width * p.out));
    for (int64_t n = 0; n < p.batch; ++n)
      for (int64_t h = 0; h < p.height; ++h)
        for (int64_t w = 0; w < p.width; ++w)
          for (int64_t o = 0; o < p.out; ++o) {
            double sum = biased ? p.b.data<float>()[o] : 0.0F;
            for (int64_t i = 0; i < 3; ++i)
              for (int64_t j = 0; j < 3; ++j) {
                const int64_t r = h + i - 1, c = w + j - 1;
                if (r < 0 || r >= p.height || c < 0 || c >= p.width) continue;
                for (int64_t k = 0; k < p.in; ++k)
                  sum += static_cast<double>(p.x[static_cast<size_t>(((n * p.height + r) * p.width + c) * p.in + k)]) *
                         static_cast<double>(p.w.data<float>()[((o * p.in + k) * 3 + i) * 3 + j]);
              }
            y[static_cast<size_t>(((n * p.height + h) * p.width + w) * p.out + o)] = sum;
          }
    return y;
  }

  // The convolution, with its filter packed as the engine likes it for the mark.
  Buffer Run(const Problem& p, bool winograd, bool biased, int threads = 2) {
    OneNode g;
    Value *x = g.In(LastF32({p.batch, p.in, p.height, p.width})), *w = g.In(p.w.type()), *b = g.In(p.b.type());
    std::vector<Value*> in = {x, w};
    if (biased) in.push_back(b);
    const ValueType y = LastF32({p.batch, p.out, p.height, p.width});
    const Node& plain = g.Make("Conv2D", in, Attrs(winograd), {y});
    EXPECT_TRUE(engine->Supports(plain).ok) << engine->Supports(plain).reason;
    ValueType packed = p.w.type();
    for (const LayoutPreference& wish : engine->Preferences(plain))
      if (wish.side == LayoutPreference::Side::kInput && wish.operand == 1) packed.layout = wish.layout;
    EXPECT_EQ(packed.layout.packed.find(":w;") != std::string::npos, winograd) << packed.layout.packed;
    const Node& pack = g.Make("TransData", {w}, {}, {packed});
    auto filter = LoadAndRun(*engine, pack, {p.w.data<void>()});
    in[1] = pack.output();
    // The mark is gone, as in a file: the layout says all.
    return std::move(LoadAndRun(*engine, g.Make("Conv2D", in, Attrs(false), {y}), {p.x.data(), filter[0].data(), biased ? p.b.data<void>() : nullptr}, threads)[0]);
  }
};

double Worst(const float* got, const std::vector<double>& want) {
  double worst = 0;
  for (size_t i = 0; i < want.size(); ++i) worst = std::max(worst, std::abs(static_cast<double>(got[i]) - want[i]));
  return worst;
}

// Even and odd extents, several images, channels of no whole vector, one block and several, and its error beside the direct one's.
TEST_F(Winograd, ErrorsAreNoLargerThanThoseOfTheDirectConvolution) {
  for (auto [batch, in, out, height, width] : {std::array<int64_t, 5>{1, 32, 32, 8, 8}, {2, 48, 33, 7, 9}, {1, 37, 64, 13, 8}, {3, 64, 32, 40, 37}, {1, 256, 64, 14, 14}}) {
    const Problem p = Make(batch, in, out, height, width);
    for (bool biased : {false, true})
      for (int threads : {1, 2}) {
        SCOPED_TRACE(::testing::Message() << batch << "x" << in << "->" << out << " " << height << "x" << width << " threads " << threads);
        const std::vector<double> want = Definition(p, biased);
        Buffer fast = Run(p, true, biased, threads), slow = Run(p, false, biased, threads);
        EXPECT_LE(Worst(fast.f32(), want), 2 * Worst(slow.f32(), want) + 1e-6);
      }
  }
}

TEST_F(Winograd, NonFiniteAndHugeNumbersAreConvolvedDirectly) {
  for (float poison : {kNan, kInfinity, -kInfinity, 3e38F, 1e16F})
    for (bool in_filter : {false, true}) {
      SCOPED_TRACE(::testing::Message() << poison << (in_filter ? " in the filter" : " in x"));
      Problem p = Make(1, 32, 32, 9, 10);
      if (in_filter)
        p.w.mutable_data<float>()[300] = poison;
      else
        p.x[static_cast<size_t>((4 * 10 + 5) * 32 + 7)] = poison;
      Buffer fast = Run(p, true, true), slow = Run(p, false, true);
      for (int64_t i = 0; i < 9 * 10 * 32; ++i) {
        const float a = fast.f32()[i], b = slow.f32()[i];
        ASSERT_TRUE(a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-6F * std::abs(b)) << i << ": " << a << " " << b;
      }
    }
}

TEST_F(Winograd, RefusesWithReasons) {
  OneNode g;
  const auto why = [&](ValueType x, ValueType w, AttrMap attrs) {
    Node& node = g.Make("Conv2D", {g.In(std::move(x)), g.In(std::move(w))}, attrs);
    ValueType y = node.output()->type();
    y.layout = ChannelsLast(y.shape());
    g.graph().SetType(node.output(), y);
    return engine->Supports(node).reason;
  };
  AttrMap stride = Attrs(true), dilated = Attrs(true);
  stride.Set("strides", Attr::Ints({2, 2}));
  dilated.Set("dilations", Attr::Ints({2, 2}));
  dilated.Set("pads", Attr::Ints({2, 2}));
  EXPECT_NE(why(LastF32({1, 32, 16, 16}), F32({32, 32, 3, 3}), stride).find("stride 1"), std::string::npos);
  EXPECT_NE(why(LastF32({1, 32, 16, 16}), F32({32, 32, 3, 3}), dilated).find("dilation"), std::string::npos);
  EXPECT_NE(why(F32({1, 32, 16, 16}), F32({32, 32, 3, 3}), Attrs(true)).find("channels-last"), std::string::npos);
  EXPECT_NE(why(LastF32({1, 16, 16, 16}), F32({32, 16, 3, 3}), Attrs(true)).find("too few channels"), std::string::npos);
  EXPECT_NE(why(LastF32({1, 32, 6, 5}), F32({32, 32, 3, 3}), Attrs(true)).find("too few pixels"), std::string::npos);
}

TEST_F(Winograd, MalformedLayoutsAreRefused) {
  OneNode g;
  for (const char* text : {"onednn:1024:w;s1024,32,1;p16,32,32;b16@2", "onednn:65536:w;s1024,512,16;p16,32,32;b16@1", "onednn:w;"}) {
    ValueType w = F32({32, 32, 3, 3});
    w.layout = StorageLayout::Packed(text);
    const Node& node = g.Make("Conv2D", {g.In(LastF32({1, 32, 16, 16})), g.In(w)}, Attrs(false), {LastF32({1, 32, 16, 16})});
    EXPECT_FALSE(engine->Supports(node).ok) << text;
  }
}

}  // namespace
}  // namespace ge::testing
