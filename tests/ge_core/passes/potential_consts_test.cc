#include "ge_core/passes/fold/potential_consts.h"

#include <gtest/gtest.h>

#include "ge_core/passes/fold/constant_folding_pass.h"
#include "ge_core/passes/fold/potential_const_taken_effect_pass.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

struct Potential : ::testing::Test {
  Module m{TestOps()};
  Builder b{m};
  PotentialConsts marks;
  FoldReport report;
  PassContext context{.evaluator = &TestEngine(), .fold_report = &report, .potential_consts = &marks};
};

TEST_F(Potential, OnlyTheOwnerChangesAMark) {
  Node* n = b.N("Relu", {b.In(I64(2))});
  EXPECT_TRUE(marks.Set(*n, {"a", {0}, {Vec({1, 2})}}));
  EXPECT_FALSE(marks.Set(*n, {"b", {0}, {Vec({3, 4})}}));
  EXPECT_FALSE(marks.Set(*n, {"a", {0}, {Vec({1, 2})}}));  // nothing new
  EXPECT_FALSE(marks.Clear(*n, "b"));
  EXPECT_EQ(*marks.Value(n->output()), Vec({1, 2}));
  EXPECT_TRUE(marks.Set(*n, {"a", {0}, {Vec({5, 6})}}));
  EXPECT_EQ(*marks.Value(n->output()), Vec({5, 6}));
  EXPECT_TRUE(marks.Clear(*n, "a"));
  EXPECT_EQ(marks.Value(n->output()), nullptr);
}

TEST_F(Potential, FoldingReadsMarksAndMarksWhatFollows) {
  Node* n = b.N("Relu", {b.In(I64(2))});
  Value* sum = b.Op("Add", {n->output(), b.C({10, 20})});
  b.Return({sum});
  marks.Set(*n, {"test", {0}, {Vec({1, 2})}});
  ConstantFoldingPass fold(context);
  EXPECT_FALSE(RunNodePass(fold, b.graph()));  // marked, not folded
  ASSERT_NE(marks.Find(*sum->producer()), nullptr);
  EXPECT_EQ(marks.Find(*sum->producer())->owner, "constant-folding");
  EXPECT_EQ(*marks.Value(sum), Vec({11, 22}));

  PotentialConstTakenEffectPass effect(context);
  EXPECT_TRUE(RunNodePass(effect, b.graph()));
  const Tensor* result = b.graph().net_output()->input(0)->producer()->const_value();
  ASSERT_NE(result, nullptr);
  EXPECT_EQ(*result, Vec({11, 22}));
  EXPECT_EQ(marks.size(), 0u);
}

TEST_F(Potential, AMarkWithoutItsValueIsClearedAndNoted) {
  Node* n = b.N("Relu", {b.In(I64(2))});
  b.Return({n->output()});
  marks.Set(*n, {"test", {0}, {}});
  PotentialConstTakenEffectPass effect(context);
  EXPECT_FALSE(RunNodePass(effect, b.graph()));
  EXPECT_EQ(marks.size(), 0u);
  ASSERT_EQ(report.failures.size(), 1u);
  EXPECT_NE(report.failures.begin()->second.find("value is missing"), std::string::npos);
}

TEST_F(Potential, OnlyTheKnownResultsAreReplaced) {
  Node* n = b.N("Twice", {b.In(I64(2))});
  b.Return({b.Op("Relu", {n->output(0)}), b.Op("Relu", {n->output(1)})});
  marks.Set(*n, {"test", {1}, {Vec({7, 8})}});
  PotentialConstTakenEffectPass effect(context);
  EXPECT_TRUE(RunNodePass(effect, b.graph()));
  EXPECT_EQ(CountOf(b.graph(), "Twice"), 1);
  EXPECT_EQ(b.graph().net_output()->input(0)->producer()->input(0)->producer(), n);
  EXPECT_TRUE(b.graph().net_output()->input(1)->producer()->input(0)->producer()->Is("Const"));
}

TEST_F(Potential, AMarkOfMemoryThatMayBeWrittenHasNoEffect) {
  Value* x = b.In(I64(2));
  Value* view = b.Op("View", {x});
  b.N("Write", {view, b.In(I64(2))});
  b.Return({b.Op("Relu", {view})});
  marks.Set(*view->producer(), {"test", {0}, {Vec({1, 2})}});
  PotentialConstTakenEffectPass effect(context);
  EXPECT_FALSE(RunNodePass(effect, b.graph()));
  EXPECT_NE(report.failures.begin()->second.find("written"), std::string::npos);
}

// ---- what a user keeps out of folding ----

TEST_F(Potential, NamePatternsAndMemoryPriority) {
  Value* big = b.C(std::vector<int64_t>(9, 1));
  Node* kept = b.N("Relu", {big});
  Node* other = b.N("Scale", {big});
  b.Return({kept->output(), other->output()});
  PassContext c = context;
  c.fold.memory_priority = true;
  ConstantFoldingPass sparing(c);
  EXPECT_FALSE(RunNodePass(sparing, b.graph()));
  EXPECT_NE(WhyNot(sparing, *kept).find("memory has priority"), std::string::npos);
  c.fold.memory_priority = false;
  c.fold.keep = {kept->name().substr(0, 1) + "*" + kept->name().substr(kept->name().size() - 1)};
  ConstantFoldingPass keeps(c);
  EXPECT_NE(WhyNot(keeps, *kept).find("ge.fold.keep"), std::string::npos);
  c.fold.keep = {"nothing", "*x?"};
  ConstantFoldingPass folds(c);
  EXPECT_TRUE(RunNodePass(folds, b.graph()));
  EXPECT_EQ(CountOf(b.graph(), "Relu") + CountOf(b.graph(), "Scale"), 0);
}

}  // namespace
}  // namespace ge
