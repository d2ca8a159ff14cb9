// Element-wise nodes fused behind products: values, NaN that the library's clamps would lose, refusals.
#include <limits>

#include "ge_core/autofuse/epilogue_fusion_pass.h"
#include "ge_core/ir/fused_region.h"
#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

StorageLayout Nhwc(const ValueType& t) {
  const auto at = [&](size_t i) { return t.shape()[i].value(); };
  return StorageLayout::Strided({at(1) * at(2) * at(3), 1, at(1) * at(3), at(1)});
}

struct Step {
  std::string_view op;
  AttrMap attrs;
  std::vector<int64_t> operand;  // shape of a second operand; empty: none
  bool swapped = false;          // the product is the second operand
};

struct Epilogue : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_onednn.so is absent";
  }
  const Engine* engine = EngineOrNull("onednn");

  // A product and its chain as one region on the engine, beside the reference kernels one after the other. `poison`: elements of x
  // that become NaN. Convolutions run channels last. Returns whether the engine took the whole chain.
  bool Check(std::string_view op, std::vector<int64_t> x_shape, std::vector<int64_t> w_shape, const AttrMap& attrs,
             const std::vector<Step>& chain, bool poison, double tolerance = 6e-6) {
    OneNode g;
    Tensor x = Random(x_shape, 1);
    if (poison) x.mutable_data<float>()[x.num_elements() / 2] = kNan;
    const bool conv = op == "Conv2D";
    std::vector<Tensor> tensors = {x, Random(w_shape, 2), Random({conv ? w_shape[0] : w_shape[1]}, 3)};
    std::vector<Value*> in;
    for (const Tensor& t : tensors) {
      ValueType type = t.type();
      if (conv && in.empty()) type.layout = Nhwc(type);
      in.push_back(g.In(type));
    }
    const auto make = [&](std::string_view name, std::vector<Value*> operands, const AttrMap& a) -> Node& {
      Node& n = g.Make(name, std::move(operands), a);
      if (conv) {
        ValueType type = n.output()->type();
        type.layout = Nhwc(type);
        g.graph().SetType(n.output(), type);
      }
      return n;
    };
    Node* last = &make(op, in, attrs);
    Tensor want = Reference(*last, {&tensors[0], &tensors[1], &tensors[2]})[0];
    for (const Step& s : chain) {
      std::vector<Value*> operands = {last->output()};
      std::vector<const Tensor*> values = {&want};
      Tensor other = Random(s.operand.empty() ? std::vector<int64_t>{1} : s.operand, 5);
      if (!s.operand.empty()) {
        ValueType type = other.type();
        if (conv && type.shape() == last->output()->type().shape()) type.layout = Nhwc(type);
        operands.push_back(g.In(type));
        values.push_back(&other);
        if (s.swapped) std::swap(operands[0], operands[1]), std::swap(values[0], values[1]);
      }
      last = &make(s.op, operands, s.attrs);
      want = Reference(*last, values)[0];
      if (!s.operand.empty()) tensors.push_back(other);
    }
    g.graph().SetOutputs({last->output()});
    EpilogueFusionPass pass({engine});
    auto changed = pass.Run(g.graph());
    EXPECT_TRUE(changed.ok()) << changed.message();
    const Node& region = *g.graph().net_output()->input(0)->producer();
    if (!changed.ok() || !*changed || !region.Is("FusedRegion")) return false;
    if (RegionBody(region)->size() != chain.size() + 1 + region.inputs().size() + 1) return false;

    // In memory order of the values: channels last where the type says so.
    std::vector<std::vector<float>> memory;
    std::vector<const void*> pointers;
    for (size_t i = 0; i < region.inputs().size(); ++i) {
      const auto number = static_cast<size_t>(region.input(static_cast<int>(i))->producer()->Int("index"));
      memory.push_back(InMemory(tensors[number], region.input(static_cast<int>(i))->type()));
    }
    for (const auto& m : memory) pointers.push_back(m.data());
    auto got = LoadAndRun(*engine, region, pointers);
    const std::vector<float> expected = InMemory(want, region.output()->type());
    ExpectClose(got[0].f32(), expected.data(), want.num_elements(), tolerance);
    EXPECT_EQ(std::ranges::any_of(expected, [](float v) { return std::isnan(v); }), poison);
    return true;
  }

  static std::vector<float> InMemory(const Tensor& t, const ValueType& type) {
    const float* from = t.data<float>();
    std::vector<float> to(from, from + t.num_elements());
    if (type.layout.kind != StorageLayout::Kind::kStrided) return to;
    const auto at = [&](size_t i) { return type.shape()[i].value(); };
    for (int64_t n = 0, i = 0; n < at(0); ++n)
      for (int64_t c = 0; c < at(1); ++c)
        for (int64_t p = 0; p < at(2) * at(3); ++p) to[static_cast<size_t>((n * at(2) * at(3) + p) * at(1) + c)] = from[i++];
    return to;
  }

  bool Conv(const std::vector<Step>& chain, bool poison = false) {
    const AttrMap attrs = {
        {"strides", Attr::Ints({1, 1})}, {"pads", Attr::Ints({1, 1})}, {"dilations", Attr::Ints({1, 1})}, {"groups", int64_t{1}}};
    return Check("Conv2D", {2, 16, 9, 11}, {24, 16, 3, 3}, attrs, chain, poison);
  }
  bool MatMul(const std::vector<Step>& chain, bool poison = false) { return Check("MatMulV2", {13, 40}, {40, 36}, {}, chain, poison); }
};

// Every operator with one operand, on both products, with and without a NaN in x.
TEST_F(Epilogue, OneOperand) {
  const std::vector<Step> steps = {{"Relu", {}, {}},
                                   {"Relu6", {}, {}},
                                   {"LeakyRelu", {{"negative_slope", 0.1}}, {}},
                                   {"Hardtanh", {{"min_val", -0.5}, {"max_val", 1.5}}, {}},
                                   {"ClipByValueV2", {{"min", -1.0}}, {}},
                                   {"ClipByValueV2", {{"max", 0.25}}, {}},
                                   {"GeluV2", {}, {}},
                                   {"GeluV2", {{"approximate", std::string("tanh")}}, {}},
                                   {"HardSwish", {}, {}},
                                   {"Sigmoid", {}, {}},
                                   {"Swish", {}, {}},
                                   {"Tanh", {}, {}},
                                   {"Muls", {{"value", -0.75}}, {}},
                                   {"Adds", {{"value", 2.5}}, {}}};
  for (const Step& s : steps)
    for (bool poison : {false, true}) {
      SCOPED_TRACE(std::string(s.op) + (poison ? " with NaN" : ""));
      EXPECT_TRUE(Conv({s}, poison));
      EXPECT_TRUE(MatMul({s}, poison));
    }
}

TEST_F(Epilogue, ResidualsRowsAndChains) {
  const std::vector<int64_t> image = {2, 24, 9, 11}, channel = {24, 1, 1}, matrix = {13, 36}, row = {36};
  for (bool poison : {false, true}) {
    EXPECT_TRUE(Conv({{"Add", {}, image}, {"Relu", {}, {}}}, poison));
    EXPECT_TRUE(Conv({{"Add", {}, image, true}, {"Relu", {}, {}}}, poison));
    EXPECT_TRUE(Conv({{"Mul", {}, channel}, {"Add", {}, channel}, {"Swish", {}, {}}}, poison));
    EXPECT_TRUE(Conv({{"Sub", {}, image}, {"Relu6", {}, {}}}, poison));
    EXPECT_TRUE(MatMul({{"Add", {}, matrix}, {"Relu", {}, {}}}, poison));
    EXPECT_TRUE(MatMul({{"GeluV2", {}, {}}, {"Mul", {}, matrix}}, poison));
    EXPECT_TRUE(MatMul({{"Mul", {}, row}, {"Add", {}, row}}, poison));
  }
}

// The epilogue stands behind the last part of a long sum only.
TEST_F(Epilogue, BehindLongSums) {
  const AttrMap attrs = {
      {"strides", Attr::Ints({1, 1})}, {"pads", Attr::Ints({1, 1})}, {"dilations", Attr::Ints({1, 1})}, {"groups", int64_t{1}}};
  for (bool poison : {false, true}) {
    EXPECT_TRUE(Check("Conv2D", {1, 256, 10, 11}, {32, 256, 3, 3}, attrs, {{"Add", {}, {1, 32, 10, 11}}, {"Relu", {}, {}}}, poison));
    EXPECT_TRUE(Check("MatMulV2", {1, 2048}, {2048, 36}, {}, {{"Relu", {}, {}}, {"Add", {}, {1, 36}}}, poison));
  }
}

TEST_F(Epilogue, TakesAsMuchOfTheChainAsTheEngineCan) {
  // The product as the subtrahend, and an operator that the primitive has not, end the chain.
  EXPECT_FALSE(MatMul({{"Sub", {}, {13, 36}, true}}));
  EXPECT_FALSE(MatMul({{"Relu", {}, {}}, {"Exp", {}, {}}}));
  OneNode g;
  Value* y = g.Make("MatMulV2", {g.In(F32({8, 8})), g.In(F32({8, 8}))}).output();
  Value* e = g.Make("Exp", {g.Make("Relu", {y}).output()}).output();
  g.graph().SetOutputs({e});
  EpilogueFusionPass pass({engine});
  EXPECT_TRUE(*pass.Run(g.graph()));
  EXPECT_TRUE(e->producer()->input(0)->producer()->Is("FusedRegion"));
}

// Infinities: a clamp keeps its bound, nothing becomes NaN that is none in the reference.
TEST_F(Epilogue, Infinities) {
  OneNode g;
  Tensor x = Random({4, 8}, 1);
  const float inf = std::numeric_limits<float>::infinity();
  x.mutable_data<float>()[3] = inf;
  x.mutable_data<float>()[17] = -inf;
  Tensor w = Random({8, 6}, 2);
  for (int64_t i = 0; i < w.num_elements(); ++i) w.mutable_data<float>()[i] = std::abs(w.data<float>()[i]) + 0.5F;
  Node& product = g.Make("MatMulV2", {g.In(x.type()), g.In(w.type())});
  const Tensor mid = Reference(product, {&x, &w})[0];
  Node& relu = g.Make("Relu", {product.output()});
  const Tensor want = Reference(relu, {&mid})[0];
  g.graph().SetOutputs({relu.output()});
  EpilogueFusionPass pass({engine});
  ASSERT_TRUE(*pass.Run(g.graph()));
  auto got = LoadAndRun(*engine, *g.graph().net_output()->input(0)->producer(), {x.data<void>(), w.data<void>()});
  ExpectClose(got[0].f32(), want.data<float>(), want.num_elements(), 1e-6);
}

}  // namespace
}  // namespace ge::testing
