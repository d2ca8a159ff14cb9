#include "ge_core/eval/evaluate.h"

#include <gtest/gtest.h>

#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

Tensor Bool(bool v) {
  const uint8_t byte = v;
  return Tensor::Of<uint8_t>(DType::kBool, {}, std::span<const uint8_t>(&byte, 1));
}
const ValueType kBoolScalar = ValueType::Tensor(DType::kBool, {});

struct Eval : ::testing::Test {
  Module m{TestOps()};
  Builder b{m};
  Result<EvalResult> Run(std::vector<Tensor> inputs, EvalOptions options = {}) { return Evaluate(m, inputs, TestEngine(), options); }
};

TEST_F(Eval, ShapesThatTheGraphLeavesOpenFollowFromTheInputs) {
  Value* x = b.In(ValueType::Tensor(DType::kI64, {Dim::Symbol("s0")}));
  Value* y = b.In(ValueType::Tensor(DType::kI64, {Dim::Symbol("s0")}));
  b.Return({b.Op("Add", {x, y})});
  auto r = Run({Vec({1, 2, 3}), Vec({10, 20, 30})});
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(r->outputs[0], Vec({11, 22, 33}));
  EXPECT_EQ(Run({Vec({1}), Vec({1, 2})}).code(), Code::kInvalidArgument);  // s0 is 1 and 2
  EXPECT_EQ(Run({Vec({1})}).code(), Code::kInvalidArgument);
}

TEST_F(Eval, IfRunsOneBranch) {
  Builder t(m, "t"), e(m, "e");
  t.Return({t.Op("Scale", {t.In()})});
  Value* ex = e.In();
  e.Return({e.Op("NoKernel", {ex})});
  Value *c = b.In(kBoolScalar), *x = b.In();
  b.Return({b.Op("If", {c, x}, {{"then_branch", Attr::GraphRef{"t"}}, {"else_branch", Attr::GraphRef{"e"}}}, {I64(4)})});
  auto taken = Run({Bool(true), Vec({1, 2, 3, 4})});
  ASSERT_TRUE(taken.ok()) << taken.message();
  EXPECT_EQ(taken->outputs[0], Vec({2, 4, 6, 8}));
  auto other = Run({Bool(false), Vec({1, 2, 3, 4})});
  ASSERT_FALSE(other.ok());
  EXPECT_EQ(other.code(), Code::kUnimplemented);
  EXPECT_NE(other.message().find("NoKernel"), std::string::npos);
  EXPECT_NE(other.message().find("(If) of graph 'main'"), std::string::npos) << other.message();
}

TEST_F(Eval, WhileCarriesValuesAndEndsRunaways) {
  Builder cond(m, "cond"), body(m, "body");
  Value* flag = cond.In(kBoolScalar);
  cond.In();
  cond.In();
  cond.Return({flag});
  Value* next = body.In(kBoolScalar);
  Value *sum = body.In(), *step = body.In();
  body.Return({next, body.Op("Add", {sum, step})});
  Value *c = b.In(kBoolScalar), *x = b.In(), *y = b.In();
  Node* loop = b.N("While", {c, x, y}, {{"cond", Attr::GraphRef{"cond"}}, {"body", Attr::GraphRef{"body"}}, {"num_carried", 2}},
                   {kBoolScalar, I64(4)});
  b.Return({loop->output(1)});
  auto never = Run({Bool(false), Vec({1, 2, 3, 4}), Vec({1, 1, 1, 1})});
  ASSERT_TRUE(never.ok()) << never.message();
  EXPECT_EQ(never->outputs[0], Vec({1, 2, 3, 4}));
  auto endless = Run({Bool(true), Vec({1, 2, 3, 4}), Vec({1, 1, 1, 1})}, {.max_steps = 1000});
  ASSERT_FALSE(endless.ok());
  EXPECT_NE(endless.message().find("1000"), std::string::npos) << endless.message();
}

TEST_F(Eval, ACallToItselfEnds) {
  Value* x = b.In();
  b.Return({b.Op("PartitionedCall", {x}, {{"f", Attr::GraphRef{"main"}}}, {I64(4)})});
  EXPECT_EQ(Run({Vec({1, 2, 3, 4})}).code(), Code::kFailedPrecondition);
}

TEST_F(Eval, WritesAreReported) {
  Value *x = b.In(), *y = b.In();
  Node* w = b.N("Write", {x, b.Op("Scale", {y})});
  b.Return({w->output()});
  auto r = Run({Vec({1, 1, 1, 1}), Vec({1, 2, 3, 4})});
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(r->outputs[0], Vec({2, 4, 6, 8}));
  EXPECT_EQ(r->written_inputs.at(0), Vec({2, 4, 6, 8}));
}

TEST_F(Eval, AnElidedConstantIsRefused) {
  Node* c = b.N("Const", {}, {{"elided", "sha256:00"}}, {I64(4)});
  b.Return({c->output()});
  EXPECT_EQ(Run({}).code(), Code::kFailedPrecondition);
}

}  // namespace
}  // namespace ge
