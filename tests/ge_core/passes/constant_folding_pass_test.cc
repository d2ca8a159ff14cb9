#include "ge_core/passes/fold/constant_folding_pass.h"

#include <gtest/gtest.h>

#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

struct Fold : ::testing::Test {
  Module m{TestOps()};
  Builder b{m};
  FoldReport report;
  ConstantFoldingPass pass{PassContext{.evaluator = &TestEngine(), .fold_report = &report}};
  bool Run() { return RunNodePass(pass, b.graph()); }
  std::string Why(const Value* v) { return WhyNot(pass, *v->producer()); }
  const Tensor* Output(int i = 0) { return b.graph().net_output()->input(i)->producer()->const_value(); }
};

TEST_F(Fold, FoldsAChainInOneRunAndRemovesOrphans) {
  Value* s = b.Op("Add", {b.C({1, 2}), b.C({10, 20})});
  b.Return({b.Op("Scale", {s}, {{"by", 3}})});
  EXPECT_TRUE(Run());
  ASSERT_NE(Output(), nullptr);
  EXPECT_EQ(*Output(), Vec({33, 66}));
  EXPECT_EQ(b.graph().size(), 2u);  // the constant and NetOutput
  EXPECT_TRUE(b.graph().net_output()->input(0)->producer()->attrs().Bool("_is_from_constant_folding", false));
  EXPECT_EQ(report.num_folded(), 2u);
  EXPECT_FALSE(Run());
}

TEST_F(Fold, KeepsTheConstantThatOthersRead) {
  Value* x = b.In(I64(2));
  Value* c = b.C({1, 2});
  b.Return({b.Op("Relu", {c}), b.Op("Add", {x, c})});
  EXPECT_TRUE(Run());
  EXPECT_EQ(*Output(0), Vec({1, 2}));
  EXPECT_EQ(CountOf(b.graph(), "Const"), 2);
}

TEST_F(Fold, ControlEdgesMoveToTheConstant) {
  Value* x = b.In(I64(2));
  Node* effect = b.N("Effect", {x});
  Node* relu = b.N("Relu", {b.C({1, 2})}, {}, {}, {effect});
  Node* later = b.N("Effect", {x}, {}, {}, {relu});
  b.Return({relu->output(), later->output()});
  EXPECT_TRUE(Run());
  Node* c = b.graph().net_output()->input(0)->producer();
  ASSERT_TRUE(c->Is("Const"));
  EXPECT_EQ(c->control_inputs(), std::vector<Node*>{effect});
  EXPECT_EQ(later->control_inputs(), std::vector<Node*>{c});
}

TEST_F(Fold, SeveralResultsAndOnlyTheUsedOnes) {
  Node* t = b.N("Twice", {b.C({1, -2})});
  b.Return({t->output(1)});
  EXPECT_TRUE(Run());
  EXPECT_EQ(*Output(), Vec({-1, 2}));
  EXPECT_EQ(b.graph().size(), 2u);
}

TEST_F(Fold, EmptyTensors) {
  b.Return({b.Op("Add", {b.C({}), b.C({})})});
  EXPECT_TRUE(Run());
  EXPECT_EQ(*Output(), Vec({}));
}

TEST_F(Fold, AnErrorOfTheOperatorIsNoErrorOfTheCompile) {
  Value* d = b.Op("Div", {b.C({1, 2}), b.C({1, 0})});
  b.Return({d});
  EXPECT_FALSE(Run());
  EXPECT_NE(Why(d).find("ZeroDivisionError"), std::string::npos) << Why(d);
}

TEST_F(Fold, NamesTheFirstRuleThatStoppedIt) {
  Value* x = b.In(I64(2));
  Value* c = b.C({1, 2});
  Value* dynamic = b.Op("Relu", {b.In(ValueType::Tensor(DType::kI64, {Dim::Symbol("s0")}))});
  const std::pair<Value*, std::string> cases[] = {
      {b.Op("Add", {x, c}), "is not a constant"},
      {b.Op("Random", {c}), "draws random numbers"},
      {b.Op("Effect", {b.C({3, 3})}), "has effects"},
      {b.Op("Keep", {c}), "never folded"},
      {b.Op("NoKernel", {c}), "no host kernel computes NoKernel"},
      {b.Op("Relu", {c}, {{"_do_not_constant_folding", true}}), "_do_not_constant_folding"},
      {b.Op("Relu", {c}, {{"_no_need", true}, {"_do_not_constant_folding", 1}}), "_do_not_constant_folding"},
      {b.Op("Relu", {c}, {{"_grappler_do_not_remove", true}}), "_grappler_do_not_remove"},
      {b.Op("Relu", {c}, {{"no_need_constant_folding", true}}), "no_need_constant_folding"},
      {dynamic, "is not a constant"},
      {b.Op("Generate", {}, {{"n", 100000}}), "over the limit"},
  };
  std::vector<Value*> results;
  for (const auto& c : cases) results.push_back(c.first);
  b.Return(results);
  EXPECT_FALSE(Run());
  for (const auto& [value, text] : cases) EXPECT_NE(Why(value).find(text), std::string::npos) << Why(value) << " / " << text;
}

TEST_F(Fold, TheResultMustNotInflateTheModel) {
  Value* big = b.Op("Relu", {b.C(std::vector<int64_t>(1000, 1))});
  b.Return({big});
  ConstantFoldingPass strict(PassContext{.evaluator = &TestEngine(), .fold = {.max_growth_bytes = 16, .max_generated_bytes = 16}});
  EXPECT_TRUE(RunNodePass(strict, b.graph()));  // no larger than its operand
  Module m2{TestOps()};
  Builder g(m2);
  g.Return({g.Op("Generate", {})});
  EXPECT_FALSE(RunNodePass(strict, g.graph()));
  EXPECT_TRUE(RunNodePass(pass, g.graph()));
}

TEST_F(Fold, AConstantThatMayBeWrittenIsNotRead) {
  Value* x = b.In(I64(2));
  Value* c = b.C({1, 2});
  Value* view = b.Op("View", {c});
  Value* relu = b.Op("Relu", {c});
  b.N("Write", {view, x});
  b.Return({relu});
  EXPECT_FALSE(Run());
  EXPECT_NE(Why(relu).find("may be written"), std::string::npos);
}

TEST_F(Fold, TwoResultsThatShareMemoryStayTogether) {
  Value* c = b.C({1, 2});
  Value* v = b.Op("View", {c});
  b.Return({c, v});
  EXPECT_FALSE(Run());
  EXPECT_NE(Why(v).find("shares memory"), std::string::npos);
}

TEST_F(Fold, ObservableStridesKeepTheNode) {
  ValueType t = I64(2);
  t.layout = StorageLayout::Strided({Dim(2)});
  Value* strided = b.Op("Relu", {b.C({1, 2})}, {}, {t});
  t.layout = StorageLayout::Strided({Dim(1)});
  Value* dense = b.Op("Scale", {b.C({1, 2})}, {}, {t});
  b.Return({strided, dense});
  EXPECT_TRUE(Run());
  EXPECT_NE(Why(strided).find("strides"), std::string::npos);
  EXPECT_EQ(*Output(1), Vec({2, 4}));
}

// Level 1 goes first; "no kernel" passes on, an error does not.
Status FakeLibrary(const Node& node, std::span<const Tensor* const>, std::vector<Tensor>& outputs) {
  if (node.Is("Scale")) return Unimplemented("not in ATen");
  if (node.Is("Div")) return InvalidArgument("raised by ATen");
  outputs.push_back(Vec({7, 7}));
  return {};
}

TEST_F(Fold, LevelOneBeforeLevelTwo) {
  const HostCpuLibrary library{&FakeLibrary};
  const HostCpuEngine engine(&TestKernels(), &library);
  ConstantFoldingPass with_library(PassContext{.evaluator = &engine, .fold_report = &report});
  Value* div = b.Op("Div", {b.C({4, 4}), b.C({2, 2})});
  b.Return({b.Op("Relu", {b.C({1, 2})}), b.Op("Scale", {b.C({1, 2})}), div, b.Op("Relu", {b.C({1, 2, 3})})});
  EXPECT_TRUE(RunNodePass(with_library, b.graph()));
  EXPECT_EQ(*Output(0), Vec({7, 7}));
  EXPECT_EQ(*Output(1), Vec({2, 4}));
  EXPECT_NE(WhyNot(with_library, *div->producer()).find("raised by ATen"), std::string::npos);
  EXPECT_EQ((report.kernels[{1, "Relu"}].count), 1);
  EXPECT_EQ((report.kernels[{2, "Scale"}].count), 1);
  EXPECT_EQ(Output(3), nullptr);  // a wrong shape from the library is refused, not believed
}

TEST(HostCpuEngine, AMissingLibraryIsRecordedNotFatal) {
  const HostCpuEngine engine(&TestKernels(), std::string("/nonexistent/libconstant_folding_ops.so"));
  EXPECT_FALSE(engine.has_library());
  EXPECT_NE(engine.library_reason().find("cannot open /nonexistent/libconstant_folding_ops.so"), std::string::npos);
  const HostCpuEngine no_symbol(&TestKernels(), std::string("libm.so.6"));
  EXPECT_FALSE(no_symbol.has_library());
  EXPECT_NE(no_symbol.library_reason().find("ge_host_cpu_library"), std::string::npos);
}

}  // namespace
}  // namespace ge
