#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

struct Convolution : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_onednn.so is absent";
  }
  const Engine* engine = EngineOrNull("onednn");
};

struct Case {
  std::vector<int64_t> x, w;
  int64_t stride, pad, dilation, groups;
  bool bias;
};

AttrMap Attrs(const Case& c, size_t n) {
  const auto all = [n](int64_t v) { return Attr::Ints(std::vector<int64_t>(n, v)); };
  return {{"strides", all(c.stride)}, {"pads", all(c.pad)}, {"dilations", all(c.dilation)}, {"groups", c.groups}};
}

const Case kCases[] = {
    {{2, 3, 15, 17}, {8, 3, 3, 3}, 1, 1, 1, 1, true},      // first layer
    {{1, 32, 14, 14}, {16, 32, 3, 3}, 2, 1, 1, 1, false},  // blocked
    {{1, 32, 9, 9}, {24, 32, 1, 1}, 1, 0, 1, 1, true},     // pointwise, channels not a multiple of 16
    {{2, 20, 11, 11}, {20, 1, 3, 3}, 1, 1, 1, 20, true},   // depthwise
    {{1, 12, 13, 13}, {8, 3, 3, 3}, 1, 2, 2, 4, true},     // groups, dilation
    {{2, 5, 31}, {7, 5, 4}, 3, 2, 1, 1, true},             // one spatial axis
};

TEST_F(Convolution, PlainAndPackedFiltersEqualTheReference) {
  for (const Case& c : kCases) {
    SCOPED_TRACE(::testing::PrintToString(c.x) + " * " + ::testing::PrintToString(c.w));
    const Tensor x = Random(c.x, 1), w = Random(c.w, 2), b = Random({c.w[0]}, 3);
    OneNode g;
    Value* wv = g.In(w.type());
    std::vector<Value*> in = {g.In(x.type()), wv};
    if (c.bias) in.push_back(g.In(b.type()));
    const AttrMap attrs = Attrs(c, c.x.size() - 2);
    const Node& plain = g.Make("Conv2D", in, attrs);
    const Tensor r = Reference(plain, {&x, &w, c.bias ? &b : nullptr})[0];
    const void* bias = c.bias ? b.data<void>() : nullptr;
    auto y = LoadAndRun(*engine, plain, {x.data<void>(), w.data<void>(), bias});
    ExpectClose(y[0].f32(), r.data<float>(), r.num_elements(), 2e-6);

    ValueType packed = w.type();
    for (const LayoutPreference& wish : engine->Preferences(plain))
      if (wish.side == LayoutPreference::Side::kInput && wish.operand == 1) packed.layout = wish.layout;
    if (packed.layout == StorageLayout{}) continue;  // the library reads this filter as it is
    const Node& pack = g.Make("TransData", {wv}, {}, {packed});
    auto packed_w = LoadAndRun(*engine, pack, {w.data<void>()});
    in[1] = pack.output();
    const Node& fast = g.Make("Conv2D", in, attrs);
    auto z = LoadAndRun(*engine, fast, {x.data<void>(), packed_w[0].data(), bias});
    ExpectClose(z[0].f32(), r.data<float>(), r.num_elements(), 2e-6);
  }
}

TEST_F(Convolution, ThreeSpatialAxes) {
  const Tensor x = Random({1, 4, 5, 6, 7}, 1), w = Random({6, 4, 3, 3, 3}, 2);
  OneNode g;
  const Node& node = g.Make("Conv3D", {g.In(x.type()), g.In(w.type())},
                            {{"strides", Attr::Ints({1, 1, 1})}, {"pads", Attr::Ints({1, 1, 1})}, {"dilations", Attr::Ints({1, 1, 1})}});
  auto y = LoadAndRun(*engine, node, {x.data<void>(), w.data<void>()});
  const Tensor r = Reference(node, {&x, &w})[0];
  ExpectClose(y[0].f32(), r.data<float>(), r.num_elements(), 2e-6);
}

TEST_F(Convolution, TransposedEqualsTheReferencePlainAndPacked) {
  struct Transposed {
    std::vector<int64_t> x, w;
    int64_t stride, pad, extra, groups;
  };
  for (const Transposed& c : {Transposed{{2, 6, 7, 9}, {6, 10, 3, 3}, 2, 1, 1, 1}, Transposed{{1, 32, 8, 8}, {32, 16, 2, 2}, 2, 0, 0, 1},
                              Transposed{{1, 12, 5, 6}, {12, 2, 3, 3}, 1, 1, 0, 3}, Transposed{{2, 4, 11}, {4, 3, 4}, 3, 1, 2, 1}}) {
    SCOPED_TRACE(::testing::PrintToString(c.x) + " * " + ::testing::PrintToString(c.w));
    const Tensor x = Random(c.x, 1), w = Random(c.w, 2), b = Random({c.w[1] * c.groups}, 3);
    AttrMap attrs = Attrs({{}, {}, c.stride, c.pad, 1, c.groups, true}, c.x.size() - 2);
    attrs.Set("output_padding", Attr::Ints(std::vector<int64_t>(c.x.size() - 2, c.extra)));
    OneNode g;
    Value *xv = g.In(x.type()), *wv = g.In(w.type()), *bv = g.In(b.type());
    const Node& plain = g.Make("Conv2DTranspose", {xv, wv, bv}, attrs);
    const Tensor r = Reference(plain, {&x, &w, &b})[0];
    auto y = LoadAndRun(*engine, plain, {x.data<void>(), w.data<void>(), b.data<void>()});
    ExpectClose(y[0].f32(), r.data<float>(), r.num_elements(), 2e-6);
    ValueType packed = w.type();
    for (const LayoutPreference& wish : engine->Preferences(plain))
      if (wish.side == LayoutPreference::Side::kInput && wish.operand == 1) packed.layout = wish.layout;
    if (packed.layout == StorageLayout{}) continue;
    const Node& pack = g.Make("TransData", {wv}, {}, {packed});
    auto packed_w = LoadAndRun(*engine, pack, {w.data<void>()});
    auto z = LoadAndRun(*engine, g.Make("Conv2DTranspose", {xv, pack.output(), bv}, attrs),
                        {x.data<void>(), packed_w[0].data(), b.data<void>()});
    ExpectClose(z[0].f32(), r.data<float>(), r.num_elements(), 2e-6);
  }
}

TEST_F(Convolution, ChannelsLastInAndOut) {
  const Tensor x = Random({1, 4, 6, 6}, 1), w = Random({8, 4, 3, 3}, 2);
  std::vector<float> nhwc(4 * 36);
  for (int c = 0; c < 4; ++c)
    for (int p = 0; p < 36; ++p) nhwc[static_cast<size_t>(p * 4 + c)] = x.data<float>()[c * 36 + p];
  ValueType xt = x.type(), yt = F32({1, 8, 6, 6});
  xt.layout = StorageLayout::Strided({144, 1, 24, 4});
  yt.layout = StorageLayout::Strided({288, 1, 48, 8});
  const AttrMap attrs = Attrs({{}, {}, 1, 1, 1, 1, false}, 2);
  OneNode g, plain;
  const Node& node = g.Make("Conv2D", {g.In(xt), g.In(w.type())}, attrs, {yt});
  auto y = LoadAndRun(*engine, node, {nhwc.data(), w.data<void>()});
  const Tensor r = Reference(plain.Make("Conv2D", {plain.In(x.type()), plain.In(w.type())}, attrs), {&x, &w})[0];
  for (int c = 0; c < 8; ++c)
    for (int p = 0; p < 36; ++p) EXPECT_NEAR(y[0].f32()[p * 8 + c], r.data<float>()[c * 36 + p], 1e-5);
}

// Long sums are computed in parts of the input channels: strides, dilation and uneven extents included, plain and packed.
TEST_F(Convolution, LongSumsInPartsEqualTheReference) {
  for (const Case& c :
       {Case{{2, 256, 10, 11}, {40, 256, 3, 3}, 1, 1, 1, 1, true}, Case{{1, 512, 20, 19}, {33, 512, 3, 3}, 2, 1, 1, 1, false},
        Case{{1, 128, 12, 11}, {16, 128, 3, 3}, 1, 2, 2, 1, true}, Case{{1, 64, 21, 19}, {24, 64, 5, 5}, 2, 2, 1, 1, true}}) {
    SCOPED_TRACE(::testing::PrintToString(c.x) + " * " + ::testing::PrintToString(c.w));
    const Tensor x = Random(c.x, 1), w = Random(c.w, 2), b = Random({c.w[0]}, 3);
    const AttrMap attrs = Attrs(c, 2);
    OneNode g, contiguous;
    const auto inputs = [&](OneNode& graph, const ValueType& xt) {
      std::vector<Value*> in = {graph.In(xt), graph.In(w.type())};
      if (c.bias) in.push_back(graph.In(b.type()));
      return in;
    };
    const Tensor r = Reference(contiguous.Make("Conv2D", inputs(contiguous, x.type()), attrs), {&x, &w, c.bias ? &b : nullptr})[0];
    const auto to_nhwc = [](const Tensor& t, ValueType& type) {
      const auto at = [&](size_t i) { return t.type().shape()[i].value(); };
      type = t.type();
      type.layout = StorageLayout::Strided({at(1) * at(2) * at(3), 1, at(1) * at(3), at(1)});
      std::vector<float> m(static_cast<size_t>(t.num_elements()));
      for (int64_t n = 0, i = 0; n < at(0); ++n)
        for (int64_t ch = 0; ch < at(1); ++ch)
          for (int64_t p = 0; p < at(2) * at(3); ++p) m[static_cast<size_t>((n * at(2) * at(3) + p) * at(1) + ch)] = t.data<float>()[i++];
      return m;
    };
    ValueType xt, yt;
    const std::vector<float> nhwc = to_nhwc(x, xt), want = to_nhwc(r, yt);
    std::vector<Value*> in = inputs(g, xt);
    const Node& plain = g.Make("Conv2D", in, attrs, {yt});
    const void* bias = c.bias ? b.data<void>() : nullptr;
    auto y = LoadAndRun(*engine, plain, {nhwc.data(), w.data<void>(), bias});
    ExpectClose(y[0].f32(), want.data(), r.num_elements(), 2e-6);
    ValueType packed = w.type();
    for (const LayoutPreference& wish : engine->Preferences(plain))
      if (wish.side == LayoutPreference::Side::kInput && wish.operand == 1) packed.layout = wish.layout;
    ASSERT_NE(packed.layout.packed.find("c"), std::string::npos) << packed.layout.packed;
    const Node& pack = g.Make("TransData", {in[1]}, {}, {packed});
    auto packed_w = LoadAndRun(*engine, pack, {w.data<void>()});
    in[1] = pack.output();
    auto z = LoadAndRun(*engine, g.Make("Conv2D", in, attrs, {yt}), {nhwc.data(), packed_w[0].data(), bias});
    ExpectClose(z[0].f32(), want.data(), r.num_elements(), 2e-6);
  }
}

TEST_F(Convolution, RefusesADynamicBatch) {
  OneNode g;
  const Node& node = g.Make("Conv2D", {g.In(ValueType::Tensor(DType::kF32, {Dim::Symbol("s0"), 4, 6, 6})), g.In(F32({8, 4, 3, 3}))},
                            Attrs({{}, {}, 1, 1, 1, 1, false}, 2));
  EXPECT_NE(engine->Supports(node).reason.find("dynamic shape"), std::string::npos);
}

}  // namespace
}  // namespace ge::testing
