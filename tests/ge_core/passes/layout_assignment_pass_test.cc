#include "ge_core/passes/layout/layout_assignment_pass.h"

#include <gtest/gtest.h>

#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

ValueType F32(std::vector<int64_t> shape) { return ValueType::Tensor(DType::kF32, Shape(shape.begin(), shape.end())); }

// Runs Conv2D and likes its activations channels last.
class FakeEngine : public Engine {
 public:
  std::string_view name() const override { return "fake"; }
  Support Supports(const Node& n) const override {
    if (n.Is("TransData") && n.output()->type().dtype() != DType::kF32) return Support::No("dtype");
    return n.Is("Conv2D") || n.Is("TransData") ? Support::Yes() : Support::No("only Conv2D and TransData");
  }
  std::vector<LayoutPreference> Preferences(const Node& n) const override {
    if (!n.Is("Conv2D")) return {};
    using Side = LayoutPreference::Side;
    return {{Side::kInput, 0, ChannelsLast(n.input(0)->type().shape())}, {Side::kOutput, 0, ChannelsLast(n.output()->type().shape())}};
  }
  Result<std::unique_ptr<Executable>> Load(const Node&) const override { return Unimplemented("not in this test"); }
};

struct LayoutAssignment : ::testing::Test {
  Module m{HostOps()};
  Builder b{m};
  FakeEngine engine;
  bool Run() {
    LayoutAssignmentPass pass({&engine});
    auto r = pass.Run(b.graph());
    EXPECT_TRUE(r.ok()) << r.message();
    return r.ok() && *r;
  }
  // 8 channels in and out, 3x3, same extent.
  Value* Conv(Value* x) {
    if (!filter) filter = b.In(F32({8, 8, 3, 3}));
    return b.Op("Conv2D", {x, filter}, {{"strides", Attr::Ints({1, 1})}, {"pads", Attr::Ints({1, 1})}, {"dilations", Attr::Ints({1, 1})}});
  }
  static bool Last(const Value* v) { return v->type().layout == ChannelsLast(v->type().shape()); }
  static bool RowMajor(const Value* v) { return v->type().layout == StorageLayout{}; }
  const ValueType image = F32({2, 8, 6, 6});
  Value* filter = nullptr;
};

TEST_F(LayoutAssignment, AChainIsReorderedAtItsEndsOnly) {
  Value* x = b.In(image);
  Value* a = Conv(x);
  Value* r = b.Op("Relu", {a});
  Value* y = Conv(r);
  b.Return({y});
  EXPECT_TRUE(Run());
  EXPECT_EQ(CountOf(b.graph(), "TransData"), 2);
  EXPECT_TRUE(Last(a));
  EXPECT_TRUE(Last(r));
  EXPECT_TRUE(Last(y));
  EXPECT_TRUE(RowMajor(x));
  EXPECT_TRUE(Last(a->producer()->input(0)));
  EXPECT_EQ(a->producer()->input(0)->producer()->input(0), x);
  // The result keeps eager's strides.
  EXPECT_TRUE(RowMajor(b.graph().net_output()->input(0)));
  EXPECT_FALSE(Run());
}

TEST_F(LayoutAssignment, ResidualsConcatsAndPoolsFollow) {
  Value* a = Conv(b.In(image));
  Value* sum = b.Op("Add", {Conv(a), a});
  Value* pool = b.Op("AvgPoolV2", {sum}, {{"ksize", Attr::Ints({2, 2})}, {"pads", Attr::Ints({0, 0})}});
  Value* joined = b.Op("ConcatV2", {pool, pool}, {{"concat_dim", int64_t{1}}});
  b.Return({joined});
  EXPECT_TRUE(Run());
  EXPECT_TRUE(Last(sum));
  EXPECT_TRUE(Last(pool));
  EXPECT_TRUE(Last(joined));
  EXPECT_EQ(CountOf(b.graph(), "TransData"), 2);
}

TEST_F(LayoutAssignment, ReadersThatNeedRowsShareOneCopy) {
  Value* a = Conv(b.In(image));
  Value* c = Conv(a);
  Value *s = b.Op("SoftmaxV2", {a}), *t = b.Op("SoftmaxV2", {a}, {{"axis", int64_t{1}}});
  b.Return({c, s, t, a});
  EXPECT_TRUE(Run());
  EXPECT_EQ(s->producer()->input(0), t->producer()->input(0));
  EXPECT_EQ(s->producer()->input(0), b.graph().net_output()->input(3));
  EXPECT_TRUE(RowMajor(s->producer()->input(0)));
}

TEST_F(LayoutAssignment, KeepsAGroupThatCostsMoreThanItSaves) {
  // One product, whose result three element-wise nodes take to readers that need rows: three copies for one saved reorder.
  Value* a = Conv(b.In(image));
  std::vector<Value*> results;
  for (const char* op : {"Relu", "Neg", "Exp"}) results.push_back(b.Op("SoftmaxV2", {b.Op(op, {a})}));
  b.Return(results);
  EXPECT_TRUE(Run());  // the product's operand, whose group stands alone
  EXPECT_TRUE(RowMajor(a));
  for (const Value* r : results) EXPECT_TRUE(RowMajor(r->producer()->input(0)));
}

TEST_F(LayoutAssignment, KeepsAGroupOfWhichNoEngineMakesACopy) {
  Value* a = Conv(b.In(image));
  Value* d = b.Op("Cast", {b.Op("Relu", {a})}, {{"dst_type", Attr(DType::kF64)}}, {ValueType::Tensor(DType::kF64, image.shape())});
  b.Return({d});
  EXPECT_TRUE(Run());  // the product's operand
  EXPECT_TRUE(RowMajor(a));
  EXPECT_TRUE(RowMajor(d));
}

TEST_F(LayoutAssignment, KeepsDynamicShapes) {
  Value* x = b.In(ValueType::Tensor(DType::kF32, {Dim::Symbol("s0"), 8, 6, 6}));
  b.Return({b.Op("Relu", {Conv(x)})});
  EXPECT_FALSE(Run());
}

TEST_F(LayoutAssignment, OneElementAxesNeedNoCopy) {
  Value* x = b.In(F32({2, 8, 1, 1}));
  Value* w = b.In(F32({8, 8, 1, 1}));
  b.Return({b.Op("Conv2D", {x, w}, {{"strides", Attr::Ints({1, 1})}, {"pads", Attr::Ints({0, 0})}, {"dilations", Attr::Ints({1, 1})}})});
  EXPECT_FALSE(Run());
}

}  // namespace
}  // namespace ge
