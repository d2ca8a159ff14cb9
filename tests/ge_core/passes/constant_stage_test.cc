// Which nodes run once per set of weights, and what is said of those that do not.
#include "ge_core/passes/constant_stage.h"

#include <gtest/gtest.h>

#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"

namespace ge {
namespace {

struct ConstantStageTest : testing::Test {
  // The constant stage of the first graph of `text`, and by name what it says of a node: "once", "both" or the reason.
  void Parse(std::string_view text, FoldOptions options = {}) {
    Result<std::unique_ptr<Module>> parsed = ParseModule(text, HostOps());
    ASSERT_TRUE(parsed.ok()) << parsed.message();
    module = *std::move(parsed);
    stage.emplace(module->entry(), options);
  }
  std::string Of(std::string_view op) const {
    if (!stage) return "not parsed";
    for (const Node* n : module->entry().nodes()) {
      if (!n->Is(op)) continue;
      if (!stage->AtCall(*n)) return stage->InStage(*n) ? "once" : "nowhere";
      return (stage->InStage(*n) ? "both: " : "") + stage->WhyAtCall(*n);
    }
    return "no such node";
  }
  std::unique_ptr<Module> module;
  std::optional<ConstantStage> stage;
};

TEST_F(ConstantStageTest, WhatFollowsFromWeightsAndConstants) {
  Parse(R"(graph @g(%x: f32[4], %w: f32[4] {weight=true}) {
    %two = Const 2 : f32[]
    %a = Exp(%w) : f32[4]
    %b = Mul(%a, %two) : f32[4]
    %c = Sub(%b, %x) : f32[4]
    %d = Neg(%c) : f32[4]
    return %d
  })");
  EXPECT_EQ(Of("Exp"), "once");
  EXPECT_EQ(Of("Mul"), "once");
  EXPECT_EQ(Of("Sub"), "input 1 ('x') is known at the call only");
  EXPECT_NE(Of("Neg").find("is known at the call only"), std::string::npos);
  for (const Node* n : module->entry().inputs()) EXPECT_EQ(stage->Known(*n), n->Bool("weight"));
}

TEST_F(ConstantStageTest, WhatLeavesTheGraphIsMadeAtEachCall) {
  Parse(R"(graph @g(%x: f32[4], %w: f32[4] {weight=true}) {
    %a = Exp(%w) : f32[4]
    %shape = Const [2, 2] : i64[2]
    %b = Reshape(%a, %shape) : f32[2,2]
    %c = Neg(%a) : f32[4]
    %d = Add(%c, %x) : f32[4]
    return %b, %d
  })");
  EXPECT_EQ(Of("Reshape"), "result 0 may leave the graph");
  EXPECT_EQ(Of("Exp"), "both: result 0 may leave the graph");  // the negation needs it as well
  EXPECT_EQ(Of("Neg"), "once");
}

TEST_F(ConstantStageTest, WhatIsLargerThanItsOperandsIsNotKept) {
  constexpr std::string_view kText = R"(graph @g(%x: f32[2000,1000], %v: f32[2000,1] {weight=true}, %w: f32[1000] {weight=true}) {
    %m = Mul(%v, %w) : f32[2000,1000]
    %y = Add(%x, %m) : f32[2000,1000]
    return %y
  })";
  Parse(kText);
  EXPECT_EQ(Of("Mul"), "its result of 8000000 bytes is larger than its operands (12000 bytes) and than the limit of 1048576");
  Parse(kText, {.max_growth_bytes = 8000000});
  EXPECT_EQ(Of("Mul"), "once");
  // What is large in between only is not kept.
  Parse(R"(graph @g(%x: f32[1000], %v: f32[2000,1] {weight=true}, %w: f32[1000] {weight=true}) {
    %m = Mul(%v, %w) : f32[2000,1000]
    %axes = Const [0] : i64[1]
    %s = ReduceSum(%m, %axes) : f32[1000]
    %y = Add(%x, %s) : f32[1000]
    return %y
  })");
  EXPECT_EQ(Of("Mul"), "once");
  EXPECT_EQ(Of("ReduceSum"), "once");
}

TEST_F(ConstantStageTest, LayoutsOfEnginesAreExemptFromTheSizeRule) {
  Parse(R"(graph @g(%x: f32[2,4], %w: f32[4,4] {weight=true}) {
    %p = TransData(%w) : f32[4,4]{packed "e:4000000:p"}
    %y = MatMulV2(%x, %p) : f32[2,4]
    return %y
  })");
  EXPECT_EQ(Of("TransData"), "once");
}

TEST_F(ConstantStageTest, KeptRandomWrittenOrdered) {
  Parse(R"(graph @g(%x: f32[4], %w: f32[4] {weight=true}, %b: f32[4] {weight=true}) {
    %k = Exp(%w) {_do_not_constant_folding=true} : f32[4]
    %n = Neg(%w) after(%k) : f32[4]
    %q = Sqrt(%b) : f32[4]
    %r = Add(%b, %x) : f32[4]
    %t = Assign(%b, %r) : f32[4]
    %y = Add(%k, %n) : f32[4]
    %z = Sub(%y, %q) : f32[4]
    %e = Mul(%z, %x) : f32[4]
    return %e
  })");
  EXPECT_EQ(Of("Exp"), "attribute _do_not_constant_folding is set");
  EXPECT_EQ(Of("Neg"), "waits for another node");
  EXPECT_EQ(Of("Sqrt"), "input 0 ('b') is known at the call only");  // written by the graph
}

TEST_F(ConstantStageTest, ADynamicShapeStays) {
  Parse(R"(graph @g(%x: f32[s0,4], %w: f32[s0,4] {weight=true}) {
    %a = Exp(%w) : f32[s0,4]
    %y = Add(%a, %x) : f32[s0,4]
    return %y
  })");
  EXPECT_EQ(Of("Exp"), "input 0 ('w') is known at the call only");
}

TEST_F(ConstantStageTest, BranchesHaveNone) {
  Parse(R"(graph @g(%p: bool[], %w: f32[4] {weight=true}) {
    %y = If(%p, %w) {then_branch=@t, else_branch=@e} : f32[4]
    return %y
  }
  graph @t(%w: f32[4]) {
    %c = Const [1, 2, 3, 4] : f32[4]
    %n = Neg(%c) : f32[4]
    %y = Add(%w, %n) : f32[4]
    return %y
  }
  graph @e(%w: f32[4]) {
    return %w
  })");
  EXPECT_EQ(Of("If"), "runs subgraphs");
  Graph& branch = *module->Find("t");
  const ConstantStage of_branch(branch);
  for (const Node* n : branch.nodes()) {
    if (n->Is("Neg")) { EXPECT_EQ(of_branch.WhyAtCall(*n), "belongs to a subgraph, which might not run"); }
  }
}

TEST_F(ConstantStageTest, UnusedNodesAreLeftAlone) {
  Parse(R"(graph @g(%x: f32[4], %w: f32[4] {weight=true}) {
    %a = Exp(%w) : f32[4]
    %y = Neg(%x) : f32[4]
    return %y
  })");
  EXPECT_EQ(Of("Exp"), "nobody reads it");
}

}  // namespace
}  // namespace ge
