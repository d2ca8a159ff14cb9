#include "ge_core/ir/proto.h"

#include <gtest/gtest.h>

#include <random>

#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"

namespace ge {
namespace {

constexpr std::string_view kRich =
    R"(graph @main(%a0: f32[s0,2*s0+1,?]:NCHW{4,s0,1}, %a1: sym.i64[s0+1], %a2: opaque, %a3: i64[2]@host, %a4: bf16[8]{packed "a:1"} {weight=true}, %a5: bool[]) {
  %0 = Const [1, -0.0, nan(0xffc00001)] : f32[3]
  %1 = Const [true, false] : bool[2]
  %2 = Const [255, 1] : f4e2m1x2[2]
  %3 = Const [] : f32[0,3]
  !0 = NoOp() {_m=true, _tg_own=1} after(%a0)
  %4, %5 = AtenCall(%a0, %0) {args=[$0, [1, 2], [1.5, 0.1], none, dtype(bf16), complex(1.0,-0.0), inf, tensor<f32[2]>[1, 2], "s"], op="aten::max.dim", pure=true} after(!0) : f32[], opaque  loc("model.py:3")
  %6 = AtenCall() {_b=[true, false], _d=0.1, _e=[], _f=0.5, _i=[1, 2], _s=["a", "b"], _t=dtype(i32), _u=[[1], []], args=[], op="x::y"} : f8e4m3fnuz[1]
  %7 = If(%a5, %0) {else_branch=@b, then_branch=@b} : f32[3]
  return %4, %7 after(!0)
}

graph @b(%a0: f32[3]) {
  return %a0
}
)";

TEST(Proto, RoundTrip) {
  auto m = ParseModule(kRich, HostOps());
  ASSERT_TRUE(m.ok()) << m.message();
  auto bytes = Serialize(**m);
  ASSERT_TRUE(bytes.ok()) << bytes.message();
  auto again = Deserialize(*bytes, HostOps());
  ASSERT_TRUE(again.ok()) << again.message();
  EXPECT_EQ(Print(**again), Print(**m));
  EXPECT_TRUE(Equal(**m, **again));
  EXPECT_EQ(*Serialize(**again), *bytes);
}

TEST(Proto, NamesMustBeUtf8) {
  Module m(HostOps());
  Graph* g = *m.AddGraph("g");
  g->AddInput(ValueType::Opaque(), "\xff");
  g->SetOutputs({});
  EXPECT_EQ(Serialize(m).code(), Code::kInvalidArgument);
}

TEST(Proto, BrokenBytesAreErrors) {
  EXPECT_FALSE(Deserialize("", HostOps()).ok());
  EXPECT_FALSE(Deserialize("not a model", HostOps()).ok());
  const std::string bytes = *Serialize(**ParseModule(kRich, HostOps()));
  for (size_t n = 0; n < bytes.size(); n += 7) EXPECT_FALSE(Deserialize(bytes.substr(0, n), HostOps()).ok()) << n;
  std::mt19937 rng(3);
  for (int i = 0; i < 300; ++i) {  // no crash; the fuzz target goes on from here
    std::string broken = bytes;
    for (int k = 0; k < 3; ++k) broken[rng() % broken.size()] = static_cast<char>(rng());
    auto m = Deserialize(broken, HostOps());
    if (m.ok()) { EXPECT_FALSE(Print(**m).empty()); }
  }
}

}  // namespace
}  // namespace ge
