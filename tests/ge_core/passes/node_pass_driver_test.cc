#include "ge_core/passes/node_pass_driver.h"

#include <gtest/gtest.h>

#include "ge_core/passes/pass_manager.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

// A rule made of a function.
class Rule final : public NodePass {
 public:
  using Fn = std::function<Result<bool>(Node&, Rewriter&)>;
  Rule(std::string name, std::vector<std::string_view> anchors, Fn fn)
      : name_(std::move(name)), anchors_(std::move(anchors)), fn_(std::move(fn)) {}
  std::string_view name() const override { return name_; }
  std::span<const std::string_view> anchors() const override { return anchors_; }
  Result<bool> Run(Node& node, Rewriter& rewriter) override { return fn_(node, rewriter); }

 private:
  std::string name_;
  std::vector<std::string_view> anchors_;
  Fn fn_;
};

// Removes one of two equal operators that follow each other.
Result<bool> Collapse(Node& node, Rewriter& rewriter) {
  Node* before = node.input(0)->producer();
  if (&before->op() != &node.op()) return false;
  GE_RETURN_IF_ERROR(rewriter.graph().ReplaceAllUses(node.output(), before->output()));
  GE_RETURN_IF_ERROR(EraseBridging(node));
  return true;
}

struct Driver : ::testing::Test {
  Module m{TestOps()};
  Builder b{m};
  Value* Chain(std::string_view op, int n, Value* v) {
    for (int i = 0; i < n; ++i) v = b.Op(op, {v});
    return v;
  }
};

TEST_F(Driver, ReachesTheFixedPointFromOneSweep) {
  b.Return({Chain("Relu", 100, b.In())});
  Rule rule("collapse", {"Relu"}, Collapse);
  NodePassDriver driver({&rule});
  auto outcome = driver.Run(b.graph(), {.check_changed_flag = true});
  ASSERT_TRUE(outcome.ok()) << outcome.message();
  EXPECT_TRUE(outcome->changed);
  EXPECT_TRUE(outcome->notes.empty());
  EXPECT_EQ(CountOf(b.graph(), "Relu"), 1);
  EXPECT_EQ(driver.stats()[0].changes, 99);
  EXPECT_EQ(driver.stats()[0].node_delta, -99);
}

TEST_F(Driver, RulesAreTriedAtTheirAnchorsOnly) {
  Value* x = b.In();
  b.Return({b.Op("Relu", {b.Op("Scale", {x})})});
  std::vector<std::string> seen;
  auto look = [&](Node& n, Rewriter&) -> Result<bool> {
    seen.emplace_back(n.op().name);
    return false;
  };
  Rule relu("relu", {"Relu"}, look), all("all", {}, look);
  NodePassDriver driver({&relu, &all});
  ASSERT_TRUE(driver.Run(b.graph(), {}).ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"Scale", "Relu", "Relu"}));  // not Data and NetOutput
}

TEST_F(Driver, ANewNodeAndItsNeighboursAreVisited) {
  b.Return({b.Op("Relu", {b.Op("Scale", {b.In()})})});
  std::vector<std::string> seen;
  Rule swap("swap", {"Relu"}, [&](Node& n, Rewriter& r) -> Result<bool> {  // Relu(Scale(x)) -> View(Scale(x))
    GE_ASSIGN_OR_RETURN(Node* const view, r.Create("View", {n.input(0)}, {}, n));
    GE_RETURN_IF_ERROR(r.Replace(n, *view));
    return true;
  });
  Rule look("look", {}, [&](Node& n, Rewriter&) -> Result<bool> {
    seen.emplace_back(n.op().name);
    return false;
  });
  NodePassDriver driver({&swap, &look});
  ASSERT_TRUE(driver.Run(b.graph(), {.check_changed_flag = true}).ok());
  EXPECT_EQ(seen, (std::vector<std::string>{"Scale", "View", "Scale"}));
}

TEST_F(Driver, RulesThatUndoEachOtherAreStoppedAndNoted) {
  b.Return({b.Op("Scale", {b.In()})});
  Rule flip("flip", {"Scale"}, [](Node& n, Rewriter& r) -> Result<bool> {
    r.graph().SetAttr(&n, "by", n.Int("by") + 1);
    return true;
  });
  NodePassDriver driver({&flip});
  auto outcome = driver.Run(b.graph(), {.max_visits = 5});
  ASSERT_TRUE(outcome.ok());
  ASSERT_EQ(outcome->notes.size(), 1u);
  EXPECT_NE(outcome->notes[0].find("5 visits"), std::string::npos) << outcome->notes[0];
  EXPECT_EQ(driver.stats()[0].changes, 5);
}

TEST_F(Driver, TheFlagMustBeHonest) {
  b.Return({b.Op("Scale", {b.In()})});
  Rule silent("silent", {}, [](Node& n, Rewriter& r) -> Result<bool> {
    r.graph().SetAttr(&n, "by", int64_t{7});
    return false;
  });
  Rule boast("boast", {}, [](Node&, Rewriter&) -> Result<bool> { return true; });
  for (Rule* liar : {&silent, &boast}) {
    NodePassDriver driver({liar});
    auto outcome = driver.Run(b.graph(), {.check_changed_flag = true});
    ASSERT_FALSE(outcome.ok());
    EXPECT_NE(outcome.message().find(liar->name()), std::string::npos);
  }
}

TEST_F(Driver, AFailureNamesTheRule) {
  b.Return({b.Op("Scale", {b.In()})});
  Rule bad("bad-rule", {}, [](Node&, Rewriter&) -> Result<bool> { return Internal("boom"); });
  NodePassDriver driver({&bad});
  auto outcome = driver.Run(b.graph(), {});
  ASSERT_FALSE(outcome.ok());
  EXPECT_NE(outcome.message().find("bad-rule"), std::string::npos);
}

std::unique_ptr<NodePass> MakeCollapse() { return std::make_unique<Rule>("collapse", std::vector<std::string_view>{"Relu"}, Collapse); }

TEST_F(Driver, ChangesAreNumberedAndBounded) {
  for (int64_t bound : {0, 1, 3, 100}) {
    Module module(TestOps());
    Builder g(module);
    Value* v = g.In();
    for (int i = 0; i < 6; ++i) v = g.Op("Relu", {v});
    g.Return({v});
    ChangeLog log;
    PassManager manager({.max_changes = bound, .log = &log});
    manager.AddStage("s");
    manager.AddPass(MakeCollapse());
    PassReport report;
    ASSERT_TRUE(manager.Run(module, &report).ok());
    const int64_t expected = std::min<int64_t>(bound, 5);
    EXPECT_EQ(CountOf(g.graph(), "Relu"), 6 - expected);
    ASSERT_EQ(log.changes.size(), static_cast<size_t>(expected));
    if (expected) {
      EXPECT_EQ(log.changes[0].pass, "collapse");
      EXPECT_EQ(log.changes[0].stage, "s");
      EXPECT_EQ(log.changes[0].graph, "main");
      EXPECT_FALSE(log.changes[0].node.empty());
      EXPECT_NE(log.gone.begin()->second.find("replaced by"), std::string::npos);
      EXPECT_NE(log.gone.begin()->second.find("collapse"), std::string::npos);
    }
  }
}

TEST_F(Driver, AGroupThatFoundNothingIsNotRunAgainInALaterStage) {
  b.Return({b.Op("Scale", {b.In()})});
  int runs = 0;
  PassManager manager;
  for (const char* stage : {"one", "two"}) {
    manager.AddStage(stage);
    manager.AddPass(std::make_unique<Rule>("look", std::vector<std::string_view>{}, [&](Node&, Rewriter&) -> Result<bool> {
      ++runs;
      return false;
    }));
  }
  ASSERT_TRUE(manager.Run(m).ok());
  EXPECT_EQ(runs, 1);
}

// ---- Rewriter ----

TEST_F(Driver, ForwardingKeepsWhatCanBeToldApart) {
  Value* x = b.In();
  Value* y = b.In();
  Value* scaled = b.Op("Scale", {x});
  Value* view = b.Op("View", {scaled});
  Value* view_of_input = b.Op("View", {x});
  Value* copy_of_input = b.Op("Relu", {y});
  Value* copy_inside = b.Op("Relu", {b.Op("Scale", {copy_of_input}, {{"by", 5}})});
  Value* other = b.Op("Scale", {view});
  b.Return({other, view_of_input, copy_of_input, copy_inside});
  Rewriter r(b.graph());
  EXPECT_TRUE(r.MayForward(*view, *scaled));
  EXPECT_NE(r.WhyNotForward(*view_of_input, *x), "");  // another tensor object in eager
  EXPECT_NE(r.WhyNotForward(*copy_of_input, *y), "");  // memory of its own
  EXPECT_TRUE(r.MayForward(*copy_inside, *copy_inside->producer()->input(0)));
  Value* half = b.Op("Generate", {}, {{"n", 2}});
  EXPECT_NE(r.WhyNotForward(*half, *x).find("type"), std::string::npos);
}

TEST_F(Driver, WrittenMemoryIsLeftAlone) {
  Value* x = b.In();
  Value* view = b.Op("View", {x});
  Value* user = b.Op("Scale", {view});
  b.N("Write", {x, b.In()});
  b.Return({user});
  Rewriter r(b.graph());
  EXPECT_NE(r.WhyNotForward(*view, *x).find("written"), std::string::npos);
}

TEST_F(Driver, AliasInfoStaysRightUnderChanges) {
  Value* x = b.In();
  Value* scaled = b.Op("Scale", {x});
  Value* view = b.Op("View", {scaled});
  Value* result = b.Op("Relu", {view});
  b.Return({result});
  Rewriter r(b.graph());
  EXPECT_FALSE(r.aliases().Escapes(scaled));
  // Now the view itself is returned: so is the memory behind it.
  ASSERT_TRUE(b.graph().ReplaceAllUses(result, view).ok());
  EXPECT_TRUE(r.aliases().Escapes(view));
  EXPECT_TRUE(r.aliases().Escapes(scaled));
  Node* write = b.N("Write", {view, x});
  EXPECT_TRUE(r.aliases().MayBeWritten(scaled));
  (void)write;
}

TEST_F(Driver, ErasingWithOrphansTakesLongChains) {
  Value* last = Chain("Relu", 50000, b.C({1}));
  Node* node = b.N("Scale", {last});
  b.Return({b.In()});
  Rewriter r(b.graph());
  ASSERT_TRUE(r.EraseWithOrphans(*node).ok());
  EXPECT_EQ(b.graph().size(), 2u);
}

}  // namespace
}  // namespace ge
