// HostKernel::adjust: which nodes are pure re-labellings of their operand, and what their type becomes.
#include "host_kernels/relabel.h"

#include "tests/host_kernels/run_op.h"

namespace ge {
namespace {
using namespace ge::testing;

struct Relabel : ::testing::Test {
  Module m{HostOps()};
  Graph& g = **m.AddGraph("g");

  Value* In(ValueType t) { return g.AddInput(std::move(t))->output(); }
  Value* C(std::vector<int64_t> v) { return g.CreateConst(I(std::move(v)))->output(); }
  Node* Make(std::string_view op, std::vector<Value*> inputs, AttrMap attrs = {}, std::vector<ValueType> types = {}) {
    auto n = g.Create(
        {.op = op, .inputs = std::move(inputs), .attrs = std::move(attrs), .name = {}, .loc = {}, .types = std::move(types), .after = {}});
    EXPECT_TRUE(n.ok()) << n.message();
    return n.ok() ? *n : nullptr;
  }
  // "f32[2,3]" after success, else the code's name and the message.
  std::string Adjust(Node* n) {
    const HostKernel* kernel = HostKernels().Find(n->op().name);
    EXPECT_NE(kernel->adjust, nullptr) << n->op().name;
    const std::string before = ToString(n->output()->type());
    const Status s = kernel->adjust(g, *n);
    if (s.ok()) return ToString(n->output()->type());
    EXPECT_EQ(ToString(n->output()->type()), before) << "a failure changed the node";
    return StrCat(s.code() == Code::kUnimplemented ? "unimplemented: " : "error: ", s.message());
  }
};

ValueType F32(Shape shape) { return ValueType::Tensor(DType::kF32, std::move(shape)); }
ValueType Strided(Shape shape, std::vector<Dim> strides) {
  ValueType t = F32(std::move(shape));
  t.layout = StorageLayout::Strided(std::move(strides));
  return t;
}

TEST_F(Relabel, EveryOperatorOfTheFamily) {
  Value* x = In(F32({2, 1, 3}));
  EXPECT_EQ(Adjust(Make("ExpandDims", {x, C({-1})})), "f32[2,1,3,1]");
  EXPECT_EQ(Adjust(Make("Unsqueeze", {x}, {{"axes", Ints({0, 2})}})), "f32[1,2,1,1,3]");
  EXPECT_EQ(Adjust(Make("UnsqueezeV2", {x}, {{"axis", Ints({1})}})), "f32[2,1,1,3]");
  EXPECT_EQ(Adjust(Make("UnsqueezeV3", {x, C({3})})), "f32[2,1,3,1]");
  EXPECT_EQ(Adjust(Make("Squeeze", {x}, {{"axis", Ints({1})}})), "f32[2,3]");
  EXPECT_EQ(Adjust(Make("SqueezeV2", {x})), "f32[2,3]");
  EXPECT_EQ(Adjust(Make("SqueezeV3", {x, C({0})})), "f32[2,1,3]");  // an axis of another extent stays
  EXPECT_EQ(Adjust(Make("FlattenV2", {x})), "f32[2,3]");
  EXPECT_EQ(Adjust(Make("Reshape", {x, C({3, -1})})), "f32[3,2]");
}

TEST_F(Relabel, ScalarsAndEmptyTensors) {
  EXPECT_EQ(Adjust(Make("FlattenV2", {In(F32({}))}, {{"axis", 0}})), "f32[1]");
  EXPECT_EQ(Adjust(Make("Squeeze", {In(F32({1, 1}))})), "f32[]");
  EXPECT_EQ(Adjust(Make("Reshape", {In(F32({2, 0, 3})), C({0, 7})})), "f32[0,7]");
  EXPECT_EQ(Adjust(Make("ExpandDims", {In(F32({})), C({0})})), "f32[1]");
}

TEST_F(Relabel, ATypeThatTheGraphLeftOpenIsCompleted) {
  Node* n = Make("ExpandDims", {In(F32({2, 3})), C({0})});
  g.SetType(n->output(), F32({1, Dim::Unknown(), 3}));
  EXPECT_EQ(Adjust(n), "f32[1,2,3]");
}

TEST_F(Relabel, TheFormatAndPlaceOfTheResultStay) {
  Node* n = Make("Reshape", {In(F32({1, 2, 3, 4})), C({4, 3, 2, 1})});
  ValueType t = n->output()->type();
  t.format = Format::kNCHW;
  t.placement = ValueType::Placement::kHost;
  g.SetType(n->output(), t);
  EXPECT_EQ(Adjust(n), "f32[4,3,2,1]:NCHW@host");
}

TEST_F(Relabel, ATargetThatIsNoConstantCountsIfTheStoredTypeIsStatic) {
  Value* target = In(ValueType::Tensor(DType::kI64, {2}));
  EXPECT_EQ(Adjust(Make("Reshape", {In(F32({2, 3})), target}, {}, {F32({3, 2})})), "f32[3,2]");
  EXPECT_TRUE(Adjust(Make("Reshape", {In(F32({2, 3})), target})).starts_with("unimplemented: "));
  EXPECT_TRUE(Adjust(Make("Reshape", {In(F32({2, 3})), target}, {}, {F32({3, 3})})).starts_with("error: "));
}

TEST_F(Relabel, UnknownAndSymbolicShapesAreLeftAlone) {
  EXPECT_TRUE(Adjust(Make("ExpandDims", {In(F32({S("s0"), 3})), C({0})})).starts_with("unimplemented: "));
  EXPECT_TRUE(Adjust(Make("FlattenV2",
                          {
                              In(F32({Dim::Unknown(), 3})),
                          },
                          {{"axis", 0}}))
                  .starts_with("unimplemented: "));
}

TEST_F(Relabel, OnlyRowMajorDataIsTheSameDataUnderAnotherShape) {
  EXPECT_TRUE(Adjust(Make("FlattenV2", {In(Strided({2, 3}, {1, 2}))}, {{"axis", 0}})).starts_with("unimplemented: "));
  EXPECT_EQ(Adjust(Make("FlattenV2", {In(Strided({2, 3}, {3, 1}))}, {{"axis", 0}})), "f32[6]");
  ValueType open = F32({2, 3});
  open.layout.kind = StorageLayout::Kind::kFree;
  EXPECT_TRUE(Adjust(Make("FlattenV2", {In(open)}, {{"axis", 0}})).starts_with("unimplemented: "));
  Node* n = Make("Reshape", {In(F32({6})), C({2, 3})});
  g.SetType(n->output(), Strided({2, 3}, {1, 2}));
  EXPECT_TRUE(Adjust(n).starts_with("unimplemented: "));
}

TEST_F(Relabel, NothingElseInTheGraphChanges) {
  Value* x = In(F32({2, 3}));
  Value* axis = C({0});
  Node* n = Make("ExpandDims", {x, axis});
  g.SetOutputs({n->output()});
  const size_t size = g.size();
  EXPECT_EQ(Adjust(n), "f32[1,2,3]");
  EXPECT_EQ(g.size(), size);
  EXPECT_EQ(n->input(0), x);
  EXPECT_EQ(n->input(1), axis);
  EXPECT_EQ(g.net_output()->input(0), n->output());
}

TEST_F(Relabel, OthersHaveNoAdjust) {
  for (const char* op : {"Add", "Transpose", "Slice", "BroadcastTo", "Identity", "TransData"})
    EXPECT_EQ(HostKernels().Find(op)->adjust, nullptr) << op;
}

}  // namespace
}  // namespace ge
