// A graph that computes shapes as models from files do (Shape -> Gather -> Concat -> Reshape), through the whole pipeline.
#include <gtest/gtest.h>

#include <set>

#include "ge_core/eval/evaluate.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"
#include "ge_core/passes/pipeline.h"
#include "host_kernels/ops.h"

namespace ge {
namespace {

// The head of a classifier and an attention-like split, for x of `batch` rows.
std::string Text(const std::string& batch) {
  return "graph @main(%x: f32[" + batch + R"(,4,6]) {
  %s = Shape(%x) {dtype=9} : i64[3]
  %axis = Const 0 : i64[]
  %i0 = Const [0] : i64[1]
  %i1 = Const [1] : i64[1]
  %i2 = Const [2] : i64[1]
  %b = GatherV2(%s, %i0, %axis) : i64[1]
  %l = GatherV2(%s, %i1, %axis) : i64[1]
  %e = GatherV2(%s, %i2, %axis) : i64[1]
  %heads = Const [2] : i64[1]
  %d = FloorDiv(%e, %heads) : i64[1]
  %t = ConcatV2(%b, %l, %heads, %d) : i64[4]
  %h = Reshape(%x, %t) : f32[?,?,?,?]
  %r = Relu(%h) : f32[?,?,?,?]
  %le = Mul(%l, %e) : i64[1]
  %u = ConcatV2(%b, %le) : i64[2]
  %y = Reshape(%r, %u) : f32[?,?]
  %zero = Const 0 : i64[]
  %n = Size(%x) {dtype=9} : i64[]
  %c = GreaterEqual(%n, %zero) : bool[]
  %two = Const 2 : i64[]
  %k = SelectV2(%c, %two, %n) : i64[]
  return %y, %k
}
)";
}

std::multiset<std::string> Ops(const Module& m) {
  std::multiset<std::string> out;
  for (const Node* n : m.entry().nodes())
    if (!n->op().Has(kSkeleton)) out.emplace(n->op().name);
  return out;
}

std::unique_ptr<Module> Optimized(const Module& source, const OptionMap& option_map) {
  const PassRegistry registry = PassRegistry::WithBuiltins();
  static const HostCpuEngine engine(&HostKernels());
  std::unique_ptr<Module> m = source.Clone();
  auto options = PassOptions::Parse(option_map, registry);
  EXPECT_TRUE(options.ok()) << options.message();
  PotentialConsts marks;
  const PassContext context{.evaluator = &engine, .potential_consts = &marks};
  auto manager = BuildPipeline(registry, *options, context, {.verify = Verify, .check_changed_flag = true}, nullptr);
  EXPECT_TRUE(manager.ok()) << manager.message();
  Status s = manager->Run(*m, nullptr);
  EXPECT_TRUE(s.ok()) << s.message();
  return m;
}

void ExpectSameValues(const Module& a, const Module& b, int64_t batch) {
  static const HostCpuEngine engine(&HostKernels());
  Tensor x(ValueType::Tensor(DType::kF32, {Dim(batch), Dim(4), Dim(6)}));
  for (int64_t i = 0; i < x.num_elements(); ++i) x.mutable_data<float>()[i] = static_cast<float>(i % 7) - 3.0F;
  auto want = Evaluate(a, {{x}}, engine), got = Evaluate(b, {{x}}, engine);
  ASSERT_TRUE(want.ok()) << want.message();
  ASSERT_TRUE(got.ok()) << got.message() << Print(b);
  EXPECT_EQ(want->outputs, got->outputs) << Print(b);
}

TEST(ShapeChain, AStaticInputLeavesNoShapeNode) {
  auto m = ParseModule(Text("2"), HostOps());
  ASSERT_TRUE(m.ok()) << m.message();
  const auto optimized = Optimized(**m, {});
  for (const std::string& op : Ops(*optimized)) EXPECT_TRUE(op == "Relu" || op == "Reshape") << Print(*optimized);
  ExpectSameValues(**m, *optimized, 2);
}

TEST(ShapeChain, ASymbolicBatchLeavesIntegersOnly) {
  auto m = ParseModule(Text("s0"), HostOps());
  ASSERT_TRUE(m.ok()) << m.message();
  const auto optimized = Optimized(**m, {});
  const std::multiset<std::string> ops = Ops(*optimized);
  // Of the arithmetic on extents nothing is left: it does not depend on the batch. The select is decided.
  for (const char* gone : {"FloorDiv", "Mul", "Size", "GreaterEqual", "SelectV2"}) EXPECT_EQ(ops.count(gone), 0U) << Print(*optimized);
  EXPECT_LE(ops.count("GatherV2"), 1U) << Print(*optimized);
  for (int64_t batch : {1, 3, 0}) ExpectSameValues(**m, *optimized, batch);
}

TEST(ShapeChain, WithoutFoldingItStillGivesTheSameValues) {
  for (const char* batch : {"2", "s0"}) {
    auto m = ParseModule(Text(batch), HostOps());
    ASSERT_TRUE(m.ok()) << m.message();
    const auto optimized = Optimized(**m, {{"ge.oo.constantFolding", "false"}});
    EXPECT_EQ(Ops(*optimized).count("Shape"), 1U) << Print(*optimized);
    ExpectSameValues(**m, *optimized, 2);
  }
}

}  // namespace
}  // namespace ge
