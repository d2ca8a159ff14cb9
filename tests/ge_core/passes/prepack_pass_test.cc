#include "ge_core/passes/layout/prepack_pass.h"

#include <gtest/gtest.h>

#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

ValueType F32(std::vector<int64_t> shape) { return ValueType::Tensor(DType::kF32, Shape(shape.begin(), shape.end())); }

// Runs MatMulV2 and likes operand 1 packed.
class FakeEngine : public Engine {
 public:
  explicit FakeEngine(bool accepts_packed = true) : accepts_packed_(accepts_packed) {}
  std::string_view name() const override { return "fake"; }
  Support Supports(const Node& n) const override {
    if (!n.Is("MatMulV2")) return Support::No("only MatMulV2");
    return accepts_packed_ || n.input(1)->type().layout.kind != StorageLayout::Kind::kPacked ? Support::Yes() : Support::No("packed");
  }
  std::vector<LayoutPreference> Preferences(const Node&) const override { return {{LayoutPreference::Side::kInput, 1, StorageLayout::Packed("fake:128:x")}}; }
  Result<std::unique_ptr<Executable>> Load(const Node&) const override { return Unimplemented("not in this test"); }

 private:
  bool accepts_packed_;
};

struct Prepack : ::testing::Test {
  Module m{HostOps()};
  Builder b{m};
  FakeEngine engine;
  bool Run() {
    PrepackPass pass({&engine});
    auto r = pass.Run(b.graph());
    EXPECT_TRUE(r.ok()) << r.message();
    return r.ok() && *r;
  }
  Value* Weight(std::vector<int64_t> shape) {
    Value* w = b.In(F32(std::move(shape)));
    b.graph().SetAttr(w->producer(), "weight", true);
    return w;
  }
};

TEST_F(Prepack, PacksAWeightOnceForTwoUsers) {
  Value *x = b.In(F32({2, 8})), *w = Weight({8, 4});
  Value *p = b.Op("MatMulV2", {x, w}), *q = b.Op("MatMulV2", {b.Op("Relu", {x}), w});
  b.Return({p, q});
  EXPECT_TRUE(Run());
  EXPECT_EQ(CountOf(b.graph(), "TransData"), 1);
  const Node& pack = *p->producer()->input(1)->producer();
  EXPECT_EQ(pack.input(0), w);
  EXPECT_EQ(pack.output()->type().layout.packed, "fake:128:x");
  EXPECT_EQ(pack.output()->type().layout.PackedBytes(), 128);
  EXPECT_EQ(q->producer()->input(1), pack.output());
  EXPECT_FALSE(Run());
}

TEST_F(Prepack, ConstantsAndWhatIsComputedFromWeightsCount) {
  Value *x = b.In(F32({2, 8})), *w = Weight({4, 8});
  Value* p = b.Op("MatMulV2", {x, b.Op("Transpose", {b.Op("Relu", {w})})});
  Value* q = b.Op("MatMulV2", {x, b.graph().CreateConst(Tensor(F32({8, 4})))->output()});
  b.Return({p, q});
  EXPECT_TRUE(Run());
  EXPECT_EQ(CountOf(b.graph(), "TransData"), 2);
}

TEST_F(Prepack, ActivationsStay) {
  Value *x = b.In(F32({2, 8})), *w = b.In(F32({8, 4}));
  b.Return({b.Op("MatMulV2", {x, w})});
  EXPECT_FALSE(Run());
}

TEST_F(Prepack, AnEngineThatRefusesItsOwnWishIsAnError) {
  Value *x = b.In(F32({2, 8})), *w = Weight({8, 4});
  b.Return({b.Op("MatMulV2", {x, w})});
  FakeEngine fickle(false);
  PrepackPass pass({&fickle});
  auto r = pass.Run(b.graph());
  ASSERT_FALSE(r.ok());
  EXPECT_NE(r.message().find("fake"), std::string::npos);
}

}  // namespace
}  // namespace ge
