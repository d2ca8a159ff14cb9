// Shape inference, promotion and rows that the element-wise operators share, the refusals above all.
#include <gtest/gtest.h>

#include "ge_core/ir/aten_mapping.h"
#include "ge_core/ir/text.h"
#include "host_kernels/broadcast.h"
#include "host_kernels/ops.h"
#include "host_kernels/promote.h"

namespace ge {
namespace {

using elewise::Broadcast;
using elewise::PromoteScalar;

Dim S(const char* name) { return Dim::Symbol(name); }

TEST(Broadcast, KnownAndSymbolicExtents) {
  EXPECT_EQ(*Broadcast({2, 1, 3}, {4, 1}), (Shape{2, 4, 3}));
  EXPECT_EQ(*Broadcast({}, {S("s0")}), (Shape{S("s0")}));
  EXPECT_EQ(*Broadcast({S("s0"), 1}, {S("s0"), 8}), (Shape{S("s0"), 8}));
  EXPECT_EQ(*Broadcast({0}, {1}), (Shape{0}));
  EXPECT_EQ(Broadcast({2}, {3}).code(), Code::kInvalidArgument);
  EXPECT_EQ(Broadcast({0}, {2}).code(), Code::kInvalidArgument);
}

TEST(Broadcast, UndecidablePairsAreRefused) {
  EXPECT_EQ(Broadcast({S("s0")}, {S("s1")}).code(), Code::kUnimplemented);
  EXPECT_EQ(Broadcast({S("s0")}, {8}).code(), Code::kUnimplemented);
  EXPECT_EQ(Broadcast({Dim::Unknown()}, {Dim::Unknown()}).code(), Code::kUnimplemented);
}

TEST(PromoteScalar, FollowsPyTorch) {
  EXPECT_EQ(PromoteScalar(DType::kBF16, Attr(2.5)), DType::kBF16);
  EXPECT_EQ(PromoteScalar(DType::kU8, Attr(300)), DType::kU8);
  EXPECT_EQ(PromoteScalar(DType::kI32, Attr(2.5)), DType::kF32);
  EXPECT_EQ(PromoteScalar(DType::kBool, Attr(1)), DType::kI64);
  EXPECT_EQ(PromoteScalar(DType::kBool, Attr(true)), DType::kBool);
  EXPECT_EQ(PromoteScalar(DType::kF64, Attr(std::complex<double>(0, 1))), DType::kC128);
  EXPECT_EQ(PromoteScalar(DType::kI64, Attr(std::complex<double>(0, 1))), DType::kC64);
}

TEST(CheckScalarFits, RangeOfTheDType) {
  using elewise::CheckScalarFits;
  EXPECT_TRUE(CheckScalarFits(Attr(255), DType::kU8, "v").ok());
  EXPECT_EQ(CheckScalarFits(Attr(256), DType::kU8, "v").code(), Code::kUnimplemented);
  EXPECT_EQ(CheckScalarFits(Attr(-1), DType::kU8, "v").code(), Code::kUnimplemented);
  EXPECT_TRUE(CheckScalarFits(Attr(-128), DType::kI8, "v").ok());
  EXPECT_FALSE(CheckScalarFits(Attr(128), DType::kI8, "v").ok());
  EXPECT_TRUE(CheckScalarFits(Attr(INT64_MIN), DType::kI64, "v").ok());
  EXPECT_FALSE(CheckScalarFits(Attr(1e39), DType::kF32, "v").ok());
  EXPECT_TRUE(CheckScalarFits(Attr(HUGE_VAL), DType::kF32, "v").ok());
  EXPECT_FALSE(CheckScalarFits(Attr(70000), DType::kF16, "v").ok());
  EXPECT_FALSE(CheckScalarFits(Attr(-3.4028234663852886e38), DType::kBF16, "v").ok());
}

// Why a one-node graph is refused.
std::string Refusal(std::string_view params, std::string_view node, std::string_view type) {
  const std::string text = StrCat("graph @g(", params, ") {\n  %y = ", node, " : ", type, "\n  return %y\n}\n");
  auto module = ParseModule(text, HostOps());
  return module.ok() ? "accepted" : module.message();
}

TEST(ElewiseInference, Refusals) {
  EXPECT_NE(Refusal("%a: f32[3], %b: f64[3]", "Add(%a, %b)", "f64[3]").find("different dtypes"), std::string::npos);
  EXPECT_NE(Refusal("%a: f32[3], %b: f32[4]", "Add(%a, %b)", "f32[3]").find("do not broadcast"), std::string::npos);
  EXPECT_NE(Refusal("%a: f32[3]", "Sub(%a)", "f32[3]").find("expected two operands"), std::string::npos);
  EXPECT_NE(Refusal("%a: f32[3], %b: f32[3]", "Sub(%a, %b) {scalar=1.0}", "f32[3]").find("expected two operands"), std::string::npos);
  EXPECT_NE(Refusal("%a: i64[3]", "Pow(%a) {scalar=-1}", "i64[3]").find("negative integer powers"), std::string::npos);
  EXPECT_NE(Refusal("%a: i64[3], %m: bool[3]", "MaskedFill(%a, %m) {scalar=1.5}", "i64[3]").find("higher category"), std::string::npos);
  EXPECT_NE(Refusal("%a: f32[3]", "ClipByValueV2(%a)", "f32[3]").find("at least one bound"), std::string::npos);
  EXPECT_NE(Refusal("%a: c64[3]", "Cast(%a) {dst_type=dtype(f32)}", "f32[3]").find("imaginary part"), std::string::npos);
  EXPECT_NE(Refusal("%a: f32[4,3]", "GLU(%a)", "f32[4,1]").find("odd"), std::string::npos);
  EXPECT_NE(Refusal("%a: f32[3]", "Exp(%a) {base=3.0}", "f32[3]").find("base 3"), std::string::npos);
}

TEST(ElewiseInference, SymbolicShapes) {
  EXPECT_EQ(Refusal("%a: f32[s0,1,8], %b: f32[s0,s1,8]", "Mul(%a, %b)", "f32[s0,s1,8]"), "accepted");
  EXPECT_EQ(Refusal("%a: i32[s0]", "Muls(%a) {value=0.5}", "f32[s0]"), "accepted");
  EXPECT_EQ(Refusal("%a: bf16[s0], %b: bf16[1]", "Greater(%a, %b)", "bool[s0]"), "accepted");
  EXPECT_EQ(Refusal("%a: f32[s0,2*s1]", "GLU(%a)", "f32[s0,s1]"), "accepted");
}

TEST(ElewiseRows, Parse) {
  for (const OpDef* op : HostOps().defs())
    for (int i = 0; i < op->num_aten; ++i) {
      auto row = ParseAtenRow(*op, op->aten[static_cast<size_t>(i)]);
      EXPECT_TRUE(row.ok()) << row.message();
    }
}

}  // namespace
}  // namespace ge
