#include "ge_core/autofuse/auto_fuse_pass.h"

#include <gtest/gtest.h>

#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

ValueType F32(std::vector<int64_t> shape) { return ValueType::Tensor(DType::kF32, Shape(shape.begin(), shape.end())); }

// Accepts every element-wise f32 node, and regions unless told not to.
class FakeEngine : public Engine {
 public:
  std::string_view name() const override { return "fake"; }
  Support Supports(const Node& n) const override {
    if (n.Is("FusedRegion")) return regions ? Support::Yes() : Support::No("no regions");
    return n.output()->type().dtype() == DType::kF32 ? Support::Yes() : Support::No("dtype");
  }
  Result<std::unique_ptr<Executable>> Load(const Node&) const override { return Unimplemented("not in this test"); }
  bool regions = true;
};

struct AutoFuse : ::testing::Test {
  Module m{HostOps()};
  Builder b{m};
  FakeEngine engine;
  AutoFuseOptions options;
  bool Run() {
    AutoFusePass pass(&engine, options);
    auto r = pass.Run(b.graph());
    EXPECT_TRUE(r.ok()) << r.message();
    return r.ok() && *r;
  }
  const Graph& Body(const Node& region) { return *m.Find(region.attrs().Get<Attr::GraphRef>("body")->name); }
};

TEST_F(AutoFuse, AChainBecomesOneRegion) {
  Value* x = b.In(F32({4, 8}));
  b.Return({b.Op("Relu", {b.Op("Neg", {b.Op("Exp", {x})})})});
  EXPECT_TRUE(Run());
  EXPECT_EQ(b.graph().size(), 3u);  // Data, FusedRegion, NetOutput
  const Node& region = *b.graph().net_output()->input(0)->producer();
  ASSERT_TRUE(region.Is("FusedRegion"));
  EXPECT_EQ(region.inputs(), std::vector<Value*>{x});
  EXPECT_EQ(Body(region).size(), 5u);
  EXPECT_FALSE(Run());
  // The body is left alone when the pass manager comes to it.
  AutoFusePass pass(&engine);
  auto again = pass.Run(*m.Find(region.attrs().Get<Attr::GraphRef>("body")->name));
  ASSERT_TRUE(again.ok());
  EXPECT_FALSE(*again);
}

TEST_F(AutoFuse, AnEscapingValueIsASecondOutput) {
  Value* x = b.In(F32({8}));
  Value* e = b.Op("Exp", {x});
  b.Return({b.Op("Relu", {e}), e});
  EXPECT_TRUE(Run());
  EXPECT_EQ(CountOf(b.graph(), "FusedRegion"), 1);
  EXPECT_EQ(b.graph().net_output()->input(0)->producer(), b.graph().net_output()->input(1)->producer());
}

TEST_F(AutoFuse, NoPathLeavesAndComesBack) {
  Value *x = b.In(F32({4, 4})), *w = b.In(F32({4, 4}));
  Value* e = b.Op("Exp", {x});
  Value* n = b.Op("Neg", {e});
  Value* outside = b.Op("MatMulV2", {n, w});  // reads the middle of what would be one region
  b.Return({b.Op("Relu", {b.Op("Add", {n, outside})})});
  EXPECT_TRUE(Run());
  EXPECT_EQ(CountOf(b.graph(), "FusedRegion"), 2);  // exp neg | add relu
  EXPECT_EQ(b.graph().size(), 6u);
}

TEST_F(AutoFuse, TwoRegionsOneReadingTheOther) {
  Value *x = b.In(F32({8})), *y = b.In(F32({1}));
  Value* small = b.Op("Neg", {b.Op("Exp", {y})});  // another shape: a region of its own
  b.Return({b.Op("Add", {b.Op("Relu", {x}), small})});
  EXPECT_TRUE(Run());
  EXPECT_EQ(CountOf(b.graph(), "FusedRegion"), 2);
}

TEST_F(AutoFuse, NotAcrossAnEffect) {
  Value *x = b.In(F32({8})), *value = b.In(F32({8}));
  Value* e = b.Op("Exp", {x});
  b.Op("Assign", {x, value});
  b.Return({b.Op("Relu", {e})});
  EXPECT_FALSE(Run());
}

TEST_F(AutoFuse, SingleNodesOtherDtypesAndRefusalsStay) {
  Value *x = b.In(F32({8})), *d = b.In(ValueType::Tensor(DType::kF64, {8}));
  b.Return({b.Op("Exp", {x}), b.Op("Neg", {b.Op("Exp", {d})})});
  EXPECT_FALSE(Run());
  engine.regions = false;
  b.Return({b.Op("Relu", {b.Op("Exp", {x})})});
  EXPECT_FALSE(Run());
  EXPECT_EQ(m.graphs().size(), 1u);
  EXPECT_EQ(CountOf(b.graph(), "FusedRegion"), 0);
}

TEST_F(AutoFuse, LimitsOfNodesAndOperandsHold) {
  options.max_nodes = 4;
  options.max_operands = 4;
  Value* x = b.In(F32({8}));
  for (int i = 0; i < 12; ++i) x = b.Op("Add", {x, b.In(F32({8}))});
  b.Return({x});
  EXPECT_TRUE(Run());
  for (const Node* n : b.graph().nodes()) {
    if (!n->Is("FusedRegion")) continue;
    EXPECT_LE(n->num_inputs() + n->num_outputs(), 4);
    EXPECT_LE(Body(*n).size(), 4u + static_cast<size_t>(n->num_inputs()) + 1);
  }
}

}  // namespace
}  // namespace ge
