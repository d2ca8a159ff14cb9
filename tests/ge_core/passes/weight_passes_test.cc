// The passes on constant weights that a golden file cannot give their options or whose results are no text, and the reasons
// that the folding rules of convolutions and products give.
#include <gtest/gtest.h>

#include <cmath>

#include "ge_core/eval/evaluate.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"
#include "ge_core/passes/fold/constant_folding_pass.h"
#include "ge_core/passes/fold/decompose_large_const_pass.h"
#include "ge_core/passes/fold/graph_optimize_utility.h"
#include "ge_core/passes/fold/weight_compress_judge_pass.h"
#include "ge_core/passes/fusion/conv_batch_norm_fold_pass.h"
#include "ge_core/passes/fusion/conv_bias_fold_pass.h"
#include "ge_core/passes/fusion/conv_scale_fold_pass.h"
#include "ge_core/passes/fusion/linear_batch_norm_fold_pass.h"
#include "host_kernels/ops.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

std::unique_ptr<Module> Parse(std::string_view text) {
  auto module = ParseModule(text, HostOps());
  EXPECT_TRUE(module.ok()) << module.message();
  return std::move(*module);
}

const HostCpuEngine& Engine() {
  static const HostCpuEngine engine(&HostKernels());
  return engine;
}

const Node* First(const Graph& graph, std::string_view op) {
  for (const Node* n : graph.nodes())
    if (n->Is(op)) return n;
  return nullptr;
}

bool Apply(NodePass&& pass, Module& module) {
  const bool changed = RunNodePass(pass, module.entry());
  const Status valid = Verify(module);
  EXPECT_TRUE(valid.ok()) << valid.message() << Print(module);
  return changed;
}

Tensor Evaluated(const Module& module) {
  auto result = Evaluate(module, {}, Engine());
  EXPECT_TRUE(result.ok()) << result.message();
  return result->outputs.at(0);
}

FoldOptions MaxBytes(int64_t n) {
  FoldOptions fold;
  fold.max_const_bytes = n;
  return fold;
}

TEST(DecomposeLargeConst, PartsShareTheMemoryAndGiveTheSameValue) {
  auto m = Parse(
      "graph @g() {\n  %c = Const [1, 2, 3, 4, 5, 6, 7, 8, 9, -0.0] {_is_from_constant_folding=true, _stream_label=\"s\"} : f32[5,2]\n  "
      "return %c\n}\n");
  const Tensor whole = *First(m->entry(), "Const")->const_value();
  ASSERT_TRUE(Apply(DecomposeLargeConstPass(MaxBytes(20)), *m));
  EXPECT_EQ(CountOf(m->entry(), "Const"), 3);
  for (const Node* n : m->entry().nodes()) {
    if (!n->Is("Const")) continue;
    EXPECT_LE(n->const_value()->bytes().size(), 20u);
    EXPECT_TRUE(n->attrs().Bool("_is_from_constant_folding", false));
    EXPECT_EQ(n->attrs().Str("_stream_label"), "s");
    EXPECT_GE(n->const_value()->data<float>(), whole.data<float>());
    EXPECT_LT(n->const_value()->data<float>(), whole.data<float>() + 10);
  }
  EXPECT_EQ(Evaluated(*m), whole);
  // Neither folded back nor split again.
  EXPECT_FALSE(Apply(ConstantFoldingPass(PassContext{.evaluator = &Engine()}), *m));
  EXPECT_FALSE(Apply(DecomposeLargeConstPass(MaxBytes(20)), *m));
}

TEST(DecomposeLargeConst, RowsOverTheLimitAreSplitAsFarAsPossible) {
  auto m = Parse("graph @g() {\n  %c = Const 2 : f64[2,3]\n  return %c\n}\n");
  const Tensor whole = *First(m->entry(), "Const")->const_value();
  ASSERT_TRUE(Apply(DecomposeLargeConstPass(MaxBytes(1)), *m));
  EXPECT_EQ(CountOf(m->entry(), "Const"), 2);
  EXPECT_EQ(Evaluated(*m), whole);
  EXPECT_FALSE(Apply(DecomposeLargeConstPass(MaxBytes(1)), *m));
}

TEST(DecomposeLargeConst, SaysWhyNot) {
  const struct {
    const char *text, *why;
    int64_t limit;
  } cases[] = {
      {"graph @g() {\n  %c = Const 2 : f32[4]\n  return %c\n}\n", "", 0},   // off
      {"graph @g() {\n  %c = Const 2 : f32[4]\n  return %c\n}\n", "", 16},  // small enough
      {"graph @g() {\n  %c = Const 2 : f32[]\n  return %c\n}\n", "a scalar", 1},
      {"graph @g() {\n  %c = Const 2 : f32[1,9]\n  return %c\n}\n", "a single row", 1},
      {"graph @g() {\n  %c = Const [2, 3] : i64[2]\n  return %c\n}\n", "may be a shape", 8},
      {"graph @g() {\n  %c = Const 2 : f32[2048]\n  return %c\n}\n", "more than 1024", 4},
      {"graph @g(%x: f32[4]) {\n  %c = Const 2 : f32[4]\n  %w = Assign(%c, %x) : f32[4]\n  return %w\n}\n", "may be written", 8},
  };
  for (const auto& c : cases) {
    auto m = Parse(c.text);
    DecomposeLargeConstPass pass(MaxBytes(c.limit));
    const std::string why = WhyNot(pass, *First(m->entry(), "Const"));
    EXPECT_TRUE(*c.why ? why.find(c.why) != std::string::npos : why.empty()) << c.text << why;
    EXPECT_FALSE(Apply(DecomposeLargeConstPass(MaxBytes(c.limit)), *m));
  }
}

TEST(GraphOptimizeUtility, FoldsOneNodeByTheFirstRuleThatApplies) {
  auto m = Parse(
      "graph @g(%x: f32[2,3], %d: f32[s0,0]) {\n  %a = Const [1, 2] : f32[2]\n  %n = Neg(%a) : f32[2]\n  %k = Neg(%n) : f32[2]\n"
      "  %s = Shape(%x) : i32[2]\n  %e = Relu(%x) : f32[2,3]\n  return %k, %s, %e\n}\n");
  const PassContext context{.evaluator = &Engine()};
  Graph& g = m->entry();
  auto fold = [&](std::string_view op) {
    auto folded = GraphOptimizeUtility::ConstantFolding(*const_cast<Node*>(First(g, op)), context);
    EXPECT_TRUE(folded.ok()) << folded.message();
    return folded.ok() && *folded;
  };
  EXPECT_TRUE(fold("Neg"));  // the first only: its reader stays
  EXPECT_EQ(CountOf(g, "Neg"), 1);
  EXPECT_TRUE(fold("Shape"));
  EXPECT_FALSE(fold("Relu"));
  EXPECT_TRUE(Verify(*m).ok());
}

TEST(GraphOptimizeUtility, WithoutAnEvaluatorOnlyEmptyResultsAreKnown) {
  auto m = Parse(
      "graph @g(%x: f32[2,0]) {\n  %a = Const [1, 2] : f32[2]\n  %n = Neg(%a) : f32[2]\n  %e = Relu(%x) : f32[2,0]\n  return %n, %e\n}\n");
  Graph& g = m->entry();
  EXPECT_FALSE(*GraphOptimizeUtility::ConstantFolding(*const_cast<Node*>(First(g, "Neg")), {}));
  EXPECT_TRUE(*GraphOptimizeUtility::ConstantFolding(*const_cast<Node*>(First(g, "Relu")), {}));
}

TEST(WeightCompressJudge, FoldsTheWeightThenJudgesIt) {
  auto m = Parse(
      "graph @g(%x: f32[2,40]) {\n  %a = Const 0.5 : f32[40,30]\n  %w = Neg(%a) : f32[40,30]\n  %t = Transpose(%w) : f32[30,40]\n"
      "  %u = Transpose(%t) : f32[40,30]\n  %y = MatMulV2(%x, %u) : f32[2,30]\n  return %y\n}\n");
  ASSERT_TRUE(Apply(WeightCompressJudgePass(PassContext{.evaluator = &Engine()}), *m));
  const Node* product = First(m->entry(), "MatMulV2");
  EXPECT_NE(product->input(1)->producer()->const_value(), nullptr);
  EXPECT_TRUE(product->attrs().Bool("_weight_compress", false));
  // Equal elements cost nothing but one table entry a byte of the element.
  EXPECT_EQ(product->attrs().Float("_weight_compress_ratio", -1), 4 * 16.0 / (8 * 4 * 1200));
  EXPECT_FALSE(Apply(WeightCompressJudgePass(PassContext{.evaluator = &Engine()}), *m));
}

TEST(WeightCompressJudge, SharesOfKnownDistributions) {
  std::vector<uint8_t> all(256 * 64), two(4096), few(16);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint8_t>(i);
  for (size_t i = 0; i < two.size(); ++i) two[i] = i % 2 ? 7 : 0;
  for (size_t i = 0; i < few.size(); ++i) few[i] = static_cast<uint8_t>(i);
  const auto share = [](const std::vector<uint8_t>& v) {
    return WeightCompressJudgePass::CompressedShare(Tensor::Of<uint8_t>(DType::kU8, {static_cast<int64_t>(v.size())}, v));
  };
  EXPECT_EQ(share(all), 1);                                    // every value equally often
  EXPECT_NEAR(share(two), (4096 + 32) / (8.0 * 4096), 1e-12);  // one bit each
  EXPECT_EQ(share(few), 1);                                    // the table would be larger than the data
  EXPECT_EQ(share({}), 1);
}

TEST(WeightCompressJudge, LeavesRuntimeWeightsAlone) {
  auto m = Parse("graph @g(%x: f32[2,4], %w: f32[4,3] {weight=true}) {\n  %y = MatMulV2(%x, %w) : f32[2,3]\n  return %y\n}\n");
  WeightCompressJudgePass pass(PassContext{.evaluator = &Engine()});
  EXPECT_NE(WhyNot(pass, *First(m->entry(), "MatMulV2")).find("is not a constant"), std::string::npos);
  EXPECT_FALSE(Apply(WeightCompressJudgePass(PassContext{.evaluator = &Engine()}), *m));
}

constexpr std::string_view kConv = " {dilations=[1], pads=[0], strides=[1]} : f32[1,3,4]\n";

TEST(WeightFold, ReasonsNameTheFirstRuleThatFails) {
  const std::string head =
      "graph @g(%x: f32[1,2,4], %w: f32[3,2,1] {weight=true}, %m: f32[3] {weight=true}, %r: f32[3], %s: f32[3,1] {weight=true}, %t: "
      "f32[1,3,4]) {\n";
  const std::string conv = StrCat("  %c = Conv2D(%x, %w)", kConv);
  const struct {
    std::string body, op, why;
  } cases[] = {
      {conv + "  %y = BNInfer(%c, none, none, %m, %m) : f32[1,3,4]\n  return %y, %c\n", "BNInfer", "has other readers"},
      {conv + "  %y = BNInfer(%c, none, none, %r, %m) : f32[1,3,4]\n  return %y\n", "BNInfer",
       "input 'r' of the graph is not known before the call"},
      {conv + "  %y = BNInfer(%c, none, none, %m, %m) {_do_not_constant_folding=true} : f32[1,3,4]\n  return %y\n", "BNInfer",
       "attribute _do_not_constant_folding is set"},
      {conv + "  %y = BNInfer(%t, none, none, %m, %m) : f32[1,3,4]\n  return %y\n", "BNInfer", ""},
      {conv + "  %y = RealDiv(%s, %c) : f32[1,3,4]\n  return %y\n", "RealDiv", "is the divisor"},
      {conv + "  %y = Mul(%c, %t) : f32[1,3,4]\n  return %y\n", "Mul", "input 't' of the graph is not known"},
      {conv + "  %y = Sub(%s, %c) : f32[1,3,4]\n  return %y\n", "Sub", "is the subtrahend"},
      {conv + "  %k = Const [1, 2, 3, 4] : f32[4]\n  %y = Add(%c, %k) : f32[1,3,4]\n  return %y\n", "Add", "one element a channel"},
      {"  %y = Add(%t, %s) : f32[1,3,4]\n  return %y\n", "Add", ""},
  };
  ConvBatchNormFoldPass norm{FoldOptions{}};
  ConvScaleFoldPass scale{FoldOptions{}};
  ConvBiasFoldPass bias{FoldOptions{}};
  for (const auto& c : cases) {
    auto m = Parse(head + c.body + "}\n");
    const Node* node = First(m->entry(), c.op);
    NodePass& pass = c.op == "BNInfer"                    ? static_cast<NodePass&>(norm)
                     : c.op == "Mul" || c.op == "RealDiv" ? static_cast<NodePass&>(scale)
                                                          : bias;
    const std::string why = WhyNot(pass, *node);
    EXPECT_TRUE(c.why.empty() ? why.empty() : why.find(c.why) != std::string::npos) << c.body << why;
  }
}

TEST(WeightFold, NamesOfGeFoldKeepAreKept) {
  auto m = Parse(StrCat("graph @g(%x: f32[1,2,4], %w: f32[3,2,1] {weight=true}) {\n  %c = Conv2D(%x, %w)", kConv,
                        "  %y = Muls(%c) {value=2} : f32[1,3,4]\n  return %y\n}\n"));
  FoldOptions fold;
  fold.keep = {"y"};
  EXPECT_FALSE(Apply(ConvScaleFoldPass(fold), *m));
  EXPECT_TRUE(Apply(ConvScaleFoldPass(FoldOptions{}), *m));
}

TEST(WeightFold, LeadingAxesOfAProductAreNotItsColumns) {
  auto m = Parse(
      "graph @g(%x: f32[2,3,4], %w: f32[5,4] {weight=true}, %m: f32[3] {weight=true}) {\n  %c = MatMulV2(%x, %w) {transpose_x2=true} : "
      "f32[2,3,5]\n"
      "  %y = BNInfer(%c, none, none, %m, %m) : f32[2,3,5]\n  return %y\n}\n");
  LinearBatchNormFoldPass pass{FoldOptions{}};
  EXPECT_NE(WhyNot(pass, *First(m->entry(), "BNInfer")).find("not the axis of the product's columns"), std::string::npos);
}

}  // namespace
}  // namespace ge
