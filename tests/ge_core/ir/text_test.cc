#include "ge_core/ir/text.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <random>

#include "ge_core/base/str.h"
#include "ge_core/ir/sha256.h"
#include "ge_core/ir/verifier.h"
#include "host_kernels/ops.h"

namespace ge {
namespace {

std::string Reprint(std::string_view text, const PrintOptions& options = {}) {
  auto m = ParseModule(text, HostOps());
  return m.ok() ? Print(**m, options) : "error: " + m.message();
}

void ExpectIdentity(std::string_view text) {
  EXPECT_EQ(Reprint(text), text);
  auto a = ParseModule(text, HostOps());
  ASSERT_TRUE(a.ok()) << a.message();
  EXPECT_TRUE(Verify(**a).ok()) << Verify(**a).message();
  auto b = ParseModule(Print(**a), HostOps());
  ASSERT_TRUE(b.ok()) << b.message();
  EXPECT_TRUE(Equal(**a, **b));
}

std::string Error(std::string_view text) {
  auto m = ParseModule(text, HostOps());
  return m.ok() ? "no error" : m.message();
}

TEST(Text, RenumbersValues) {
  EXPECT_EQ(Reprint(R"(// a comment
graph @g(%x: f32[2,3]) { %c = Const 1 : f32[3]   // splat
  %y = Add(%x, %c):f32[2,3] loc("model.py:12") return %y })"),
            R"(graph @g(%a0: f32[2,3]) {
  %0 = Const 1 : f32[3]
  %1 = Add(%a0, %0) : f32[2,3]  loc("model.py:12")
  return %1
}
)");
}

TEST(Text, Identity) {
  ExpectIdentity("graph @empty() {\n  return\n}\n");
  ExpectIdentity(
      R"(graph @types(%a0: f32[s0,2*s0+1,?]:NCHW{4,s0,1}, %a1: sym.i64[s0+1], %a2: opaque, %a3: i64[2]@host, %a4: bf16[8]{packed "a:1\"b"} {weight=true}, %a5: f16[]{free}, %a6: sym.f64) {
  return %a0, %a1, %a2
}
)");
  ExpectIdentity(R"(graph @effects(%a0: f32[2]) {
  !0 = NoOp() after(%a0)
  NoOp()
  %0, %1 = AtenCall(%a0) {_mark=[1, "x"], args=[$0, [1, 2.5], none, dtype(bf16), complex(1.0,-0.0), inf, tensor<f32[2]>[1, 2]], op="aten::max.dim"} after(!0, %a0) : f32[], opaque
  return %0 after(%0, !0)
}
)");
  ExpectIdentity(R"(graph @main(%a0: f32[2], %a1: bool[]) {
  %0 = If(%a1, %a0) {else_branch=@no, then_branch=@"odd name"} : f32[2]
  return %0
}

graph @"odd name"(%a0: f32[2]) {
  return %a0
}

graph @no(%a0: f32[2]) {
  return %a0
}
)");
  ExpectIdentity(R"(graph @elided() {
  %0 = Const dense<sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855> : f32[100]
  return %0
}
)");
}

TEST(Text, Literals) {
  ExpectIdentity(R"(graph @literals() {
  %0 = Const [1, -0.0, 0.1, inf, -inf, nan, nan(0xffc00001), 1e-45, 3.4028235e+38] : f32[9]
  %1 = Const [0.1, -0.0, 65504, 6e-08, inf, nan, nan(0x7e01)] : f16[7]
  %2 = Const [0.1, -0.0, 3.39e+38, 9e-41, -inf, nan] : bf16[6]
  %3 = Const [0.1, 5e-324, nan(0x7ff8000000000001)] : f64[3]
  %4 = Const [[-128, 127], [0, 1]] : i8[2,2]
  %5 = Const [18446744073709551615, 0] : u64[2]
  %6 = Const [-9223372036854775808, 0] : i64[2]
  %7 = Const [true, false] : bool[2]
  %8 = Const [complex(1,-0.0), complex(nan,inf)] : c64[2]
  %9 = Const [448, 0.002, nan, nan(0xff)] : f8e4m3fn[4]
  %10 = Const [57344, inf, nan] : f8e5m2[3]
  %11 = Const [240, nan, 0] : f8e4m3fnuz[3]
  %12 = Const [1, 2, 5.877471754111438e-39, nan] : f8e8m0fnu[4]
  %13 = Const [255, 0] : f4e2m1x2[2]
  %14 = Const [] : f32[0,3]
  %15 = Const 7 : i32[1000]
  %16 = Const true : bool[]
  %17 = Const complex(0.1,2) : c32[]
  return
}
)");
  EXPECT_EQ(Reprint("graph @g() { %0 = Const [1, 2, 3, 4] : f32[2,2] return %0 }"),
            "graph @g() {\n  %0 = Const [[1, 2], [3, 4]] : f32[2,2]\n  return %0\n}\n");
}

// Every bit pattern of every dtype of at most 16 bits, and random ones of the wide dtypes, survive the way through text.
TEST(Text, EveryBitPatternRoundTrips) {
  std::mt19937_64 rng(1);
  for (int i = 0; i < kNumDTypes; ++i) {
    const auto dtype = static_cast<DType>(i);
    const size_t size = SizeOf(dtype);
    const int64_t n = dtype == DType::kBool ? 2 : size == 1 ? 256 : size == 2 ? 65536 : 2000;
    Tensor t(ValueType::Tensor(dtype, {n}));
    auto* p = t.mutable_data<std::byte>();
    for (int64_t k = 0; k < n; ++k) {
      const uint64_t bits[2] = {size <= 2 ? static_cast<uint64_t>(k) : rng(), rng()};
      std::memcpy(p + static_cast<size_t>(k) * size, bits, size);
    }
    Module m(HostOps());
    Graph* g = *m.AddGraph("g");
    g->SetOutputs({g->CreateConst(t)->output()});
    auto again = ParseModule(Print(m, PrintOptions::Full()), HostOps());
    ASSERT_TRUE(again.ok()) << Name(dtype) << " " << again.message();
    EXPECT_TRUE(Equal(m, **again)) << Name(dtype);
  }
}

TEST(Text, ElidesLargeConstants) {
  Module m(HostOps());
  Graph* g = *m.AddGraph("g");
  std::vector<float> values(33);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  Node* c = g->CreateConst(Tensor::Of<float>(DType::kF32, {33}, values));
  g->SetOutputs({c->output()});
  const std::string text = Print(m);
  EXPECT_NE(text.find("Const dense<sha256:"), std::string::npos) << text;
  EXPECT_EQ(Reprint(text), text);
  auto again = ParseModule(text, HostOps());
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(Verify(**again).ok());
  EXPECT_EQ((*again)->entry().first()->const_value(), nullptr);
  EXPECT_FALSE(Equal(m, **again));
  EXPECT_EQ(Print(m, PrintOptions::Full()).find("dense"), std::string::npos);
}

TEST(Text, EqualIgnoresNamesAndLocs) {
  auto parse = [](std::string_view t) { return *ParseModule(t, HostOps()); };
  const auto a = parse("graph @g(%x: f32[2]) { %y = Add(%x, %x) : f32[2] loc(\"a:1\") return %y }");
  EXPECT_TRUE(Equal(*a, *parse("graph @h(%p: f32[2]) { %q = Add(%p, %p) : f32[2] return %q }")));
  EXPECT_FALSE(Equal(*a, *parse("graph @g(%x: f32[2]) { %y = Sub(%x, %x) : f32[2] return %y }")));
  EXPECT_FALSE(Equal(*a, *parse("graph @g(%x: f32[3]) { %y = Add(%x, %x) : f32[3] return %y }")));
  EXPECT_FALSE(Equal(*a, *parse("graph @g(%x: f32[2]) { %y = Add(%x, %x) : f32[2] return %x }")));
  EXPECT_FALSE(Equal(*parse("graph @g() { %c = Const 0 : f32[] return %c }"), *parse("graph @g() { %c = Const -0.0 : f32[] return %c }")));
}

TEST(Text, ErrorsNameLineAndColumn) {
  EXPECT_EQ(Error(""), "1:1: expected 'graph', found the end of the text");
  EXPECT_EQ(Error("graph @g(%x: f32[2]) {\n  %y = Nope(%x) : f32[2]\n  return %y\n}"),
            "2:8: unknown operator 'Nope'; ge-opt --list-ops lists the known ones");
  EXPECT_EQ(Error("graph @g() {\n  return %z\n}"), "2:10: %z is not defined before this use");
  EXPECT_EQ(Error("graph @g(%x: f32[2], %x: f32[2]) { return }"), "1:22: %x is defined twice in this graph");
  EXPECT_EQ(Error("graph @g() { return } graph @g() { return }"), "1:30: there are two graphs named 'g'");
  EXPECT_EQ(Error("graph @g(%x: f99[2]) { return }"), "1:14: unknown type 'f99'; expected a dtype such as f32 or i64, sym.i64, or opaque");
  EXPECT_EQ(Error("graph @g(%x: f32[-1]) { return }"), "1:14: negative dim in f32[-1]");
  EXPECT_EQ(Error("graph @g(%x: f32[2]{1,2}) { return }"), "1:20: the layout has 2 strides, the shape has 1 dims");
  EXPECT_EQ(Error("graph @g() { %c = Const [1, 2] : f32[3] return }"), "1:25: the list has 2 items, f32[3] needs 3");
  EXPECT_EQ(Error("graph @g() { %c = Const 300 : u8[] return }"), "1:25: '300' is not an u8");
  EXPECT_EQ(Error("graph @g() { %c = Const 1e39 : f32[] return }"), "1:25: '1e39' is not a number that f32 can hold");
  EXPECT_EQ(Error("graph @g(%x: f32[2]) {\n  %y = Add(%x, %x) : f32[3]\n  return %y\n}").substr(0, 4), "2:8:");
  EXPECT_EQ(Error("graph @g(%x: f32[2]) { %y = Add(%x) : f32[2] return %y }").substr(0, 5), "1:29:");
  EXPECT_EQ(Error("graph @g(%x: f32[2]) { %y = Add(%x, %x) {foo=1} : f32[2] return %y }").substr(0, 5), "1:29:");
  EXPECT_EQ(Error("graph @g(%x: f32[2]) { %a, %b = Add(%x, %x) : f32[2], f32[2] return %a }"), "1:24: Add has 1 results, 2 are written");
  EXPECT_EQ(Error("graph @g() { %c = Const dense<md5:1> : f32[2] return }"),
            "1:31: expected sha256: and 64 hexadecimal digits between < and >");
}

TEST(Text, HostileTextIsRefused) {
  for (const std::string& text : {
           std::string("graph @g() { %c = Const 0 : f32[999999999999] return }"),
           std::string("graph @g() { %c = Const 0 : f32[9999999999,9999999999] return }"),
           std::string("graph @g() { %c = Const 0 : f32[99999999999999999999] return }"),
           "graph @g() { %c = Const " + std::string(100000, '[') + " : f32[1] return }",
           "graph @g() { NoOp() {_a=" + std::string(100000, '[') + "} return }",
           "graph @g(%x: f32[" + std::string(100000, '(') + "]) { return }",
           "graph @g(%x: f32[" +
               [] {
                 std::string s = "1";
                 for (int i = 0; i < 1000; ++i) s += ",1";
                 return s;
               }() +
               "]) { return }",
           std::string("graph @g(%x: f32[2]) { return %x after(none) }"),
           std::string("graph @g(%x: f32[2]) { return none }"),
           std::string("graph @g() { NetOutput() return }"),
           std::string("graph @g() { %d = Data() : f32[2] return }"),
           std::string("graph @g() { NoOp() {_a=\"x"),
           std::string("graph @g() { NoOp() {_a=\"\\x"),
           std::string("graph @g() { NoOp() {_a=\"\\"),
           std::string("graph @g() { %c = Const 1("),
       })
    EXPECT_FALSE(ParseModule(text, HostOps()).ok()) << text.substr(0, 60);
  // Many large splats together are bounded too.
  std::string many = "graph @g() {";
  for (int i = 0; i < 10; ++i) many += StrCat("%c", i, " = Const 0 : f32[100000000] ");
  EXPECT_NE(Error(many + "return }").find("bytes left for constants"), std::string::npos);
}

TEST(Text, PublicTypeAndAttrParsers) {
  EXPECT_EQ(ToString(*ParseType("f32[s0, 3]")), "f32[s0,3]");
  EXPECT_FALSE(ParseType("f32[2] x").ok());
  EXPECT_EQ(PrintAttr(*ParseAttr("[1, [2.5, \"a\\n\"], tensor<i64[2]>[1, 2]]")), "[1, [2.5, \"a\\n\"], tensor<i64[2]>[1, 2]]");
  EXPECT_FALSE(ParseAttr("[1").ok());
}

TEST(Sha256, KnownVectors) {
  EXPECT_EQ(Sha256Hex({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  const std::string abc = "abc", a(1000000, 'a');
  EXPECT_EQ(Sha256Hex(std::as_bytes(std::span(abc))), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256Hex(std::as_bytes(std::span(a))), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace ge
