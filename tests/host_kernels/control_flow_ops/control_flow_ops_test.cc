// Operators that only graphs from files contain: they read, verify and print, and nothing claims to run them.
#include "ge_core/eval/evaluate.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"
#include "tests/host_kernels/run_op.h"

namespace ge {
namespace {
using namespace ge::testing;

constexpr std::string_view kSwitch = R"(graph @g(%x: f32[2,3], %p: bool[]) {
  %f, %t = Switch(%x, %p) : f32[2,3], f32[2,3]
  %a = Neg(%f) : f32[2,3]
  %b = Abs(%t) : f32[2,3]
  %y, %i = Merge(%a, %b) : f32[2,3], i32[]
  return %y, %i
}
)";

TEST(ControlFlowOps, ASwitchAndItsMergeReadVerifyAndPrint) {
  auto m = ParseModule(kSwitch, HostOps());
  ASSERT_TRUE(m.ok()) << m.message();
  const Status s = Verify(**m);
  EXPECT_TRUE(s.ok()) << s.message();
  auto again = ParseModule(Print(**m), HostOps());
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(Print(**again), Print(**m));
}

TEST(ControlFlowOps, NothingRunsThem) {
  auto m = ParseModule(kSwitch, HostOps());
  ASSERT_TRUE(m.ok()) << m.message();
  for (const char* op : {"Switch", "RefSwitch", "Merge", "AscendWeightQuant"}) {
    EXPECT_EQ(HostKernels().Find(op), nullptr) << op;
    EXPECT_TRUE(HostOps().Find(op)->Has(kNoFold)) << op;
  }
  const HostCpuEngine engine(&HostKernels());
  const std::vector<Tensor> inputs{F({2, 3}, {1, 2, 3, 4, 5, 6}), MakeBool({}, {1})};
  auto r = Evaluate(**m, inputs, engine);
  ASSERT_FALSE(r.ok());
  EXPECT_NE(r.message().find("Switch"), std::string::npos) << r.message();
}

TEST(ControlFlowOps, TypesOfSwitch) {
  const ValueType x = ValueType::Tensor(DType::kI8, {S("s0"), 0}), p = ValueType::Tensor(DType::kBool, {1});
  for (const char* op : {"Switch", "RefSwitch"}) {
    EXPECT_EQ(Infer(op, {x, p}), "i8[s0,0] i8[s0,0]");
    EXPECT_TRUE(Infer(op, {x, ValueType::Tensor(DType::kBool, {2})}).starts_with("error"));
    EXPECT_TRUE(Infer(op, {x, ValueType::Tensor(DType::kI32, {})}).starts_with("error"));
  }
}

TEST(ControlFlowOps, AMergeKnowsWhatItsOperandsAgreeOn) {
  const auto t = [](DType d, Shape s) { return ValueType::Tensor(d, std::move(s)); };
  EXPECT_EQ(Infer("Merge", {t(DType::kF32, {2, S("s0"), 4}), t(DType::kF32, {3, S("s0"), 4})}), "f32[?,s0,4] i32[]");
  EXPECT_TRUE(Infer("Merge", {t(DType::kF32, {2}), t(DType::kF64, {2})}).starts_with("error"));
  EXPECT_TRUE(Infer("Merge", {t(DType::kF32, {2}), t(DType::kF32, {2, 1})}).starts_with("unimplemented"));
  EXPECT_TRUE(Infer("Merge", {}).starts_with("error"));
}

TEST(QuantOps, AscendWeightQuant) {
  const ValueType w = ValueType::Tensor(DType::kI8, {4, 3}), o = ValueType::Tensor(DType::kI8, {1});
  EXPECT_EQ(Infer("AscendWeightQuant", {w, o}), "i8[4,3]");
  EXPECT_TRUE(Infer("AscendWeightQuant", {w, o}, {{"dst_type", 3}}).starts_with("unimplemented"));
  EXPECT_TRUE(Infer("AscendWeightQuant", {ValueType::Tensor(DType::kF32, {2}), o}).starts_with("error"));
}

}  // namespace
}  // namespace ge
