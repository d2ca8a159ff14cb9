// Formulas follow the CPU kernels of PyTorch operation by operation, so that special values and roundings agree.
#include "host_kernels/jit/ops.h"

#include <algorithm>
#include <cmath>

#include "host_kernels/jit/emitter.h"

namespace ge::jit {
namespace {

using llvm::CmpInst;
namespace Intrinsic = llvm::Intrinsic;

template <Intrinsic::ID id>
V Native(const EmitArgs& a) { return a.e.Unary(id, a.in[0]); }
template <CmpInst::Predicate p>
V Compare(const EmitArgs& a) { return a.e.Compare(p, a.in[0], a.in[1]); }

V Relu(const EmitArgs& a) { return a.e.Select(a.e.Less(a.in[0], a.e.Const(0)), a.e.Const(0), a.in[0]); }  // NaN and -0.0 stay
V Clip(Emitter& e, V x, V low, V high) { return e.Minimum(e.Maximum(x, low), high); }
V HardSigmoid6(Emitter& e, V x) { return Clip(e, e.Add(x, e.Const(3)), e.Const(0), e.Const(6)); }

V Gelu(const EmitArgs& a) {
  Emitter& e = a.e;
  const V x = a.in[0];
  if (!a.instruction.flag) return e.Mul(e.Mul(x, e.Const(0.5)), e.Add(e.Const(1), e.Erf(e.Mul(x, e.Const(M_SQRT1_2)))));
  const V cube = e.Mul(e.Mul(x, x), x);
  const V inner = e.Mul(e.Const(M_SQRT2 * M_2_SQRTPI * 0.5), e.Add(x, e.Mul(e.Const(0.044715), cube)));
  return e.Mul(e.Mul(e.Const(0.5), x), e.Add(e.Const(1), e.Tanh(inner)));
}

V Sign(const EmitArgs& a) {
  Emitter& e = a.e;
  const V zero = e.Const(0), one = e.Const(1);
  return e.Sub(e.Select(e.Greater(a.in[0], zero), one, zero), e.Select(e.Less(a.in[0], zero), one, zero));
}

V LeakyRelu(const EmitArgs& a) {
  Emitter& e = a.e;
  return e.Mul(a.in[0], e.Select(e.Greater(a.in[0], e.Const(0)), e.Const(1), e.Const(a.parameter(0))));
}

V Elu(const EmitArgs& a) {
  Emitter& e = a.e;
  const V x = a.in[0];
  const double alpha = a.parameter(0), scale = a.parameter(1), input_scale = a.parameter(2);
  const V negative = e.Mul(e.Expm1(e.Mul(x, e.Const(input_scale))), e.Const(static_cast<float>(alpha) * static_cast<float>(scale)));
  return e.Select(e.Less(x, e.Const(0)), negative, e.Mul(x, e.Const(scale)));
}

V Softplus(const EmitArgs& a) {
  Emitter& e = a.e;
  const V beta = e.Const(a.parameter(0)), scaled = e.Mul(a.in[0], beta);
  return e.Select(e.Greater(scaled, e.Const(a.parameter(1))), a.in[0], e.Div(e.Log1p(e.Exp(scaled)), beta));
}

// Refusals.
std::string DefaultsOnly(const Node& node, std::initializer_list<std::string_view> names) {
  for (std::string_view name : names) {
    const AttrDef* def = node.op().FindAttr(name);
    if (def && !(node.attr(name) == def->Default())) return StrCat("attribute ", name, " is not at its default");
  }
  return {};
}
std::string ReadExp(const Node& node, Instruction&) { return DefaultsOnly(node, {"base", "scale", "shift"}); }
std::string ReadHardSigmoid(const Node& node, Instruction&) { return DefaultsOnly(node, {"alpha", "beta"}); }
std::string ReadGelu(const Node& node, Instruction& i) {
  const std::string approximate = node.Str("approximate");
  i.flag = approximate == "tanh";
  return i.flag || approximate == "none" ? "" : "unknown approximation '" + approximate + "'";
}
std::string ReadSwish(const Node& node, Instruction&) { return DefaultsOnly(node, {"scale"}); }

constexpr OpRow kRows[] = {
    {"Abs", "f:f", "", Native<Intrinsic::fabs>, nullptr},
    {"Add", "ff:f", "", [](const EmitArgs& a) { return a.e.Add(a.in[0], a.in[1]); }, nullptr},
    {"AddV2", "ff:f", "", [](const EmitArgs& a) { return a.e.Add(a.in[0], a.in[1]); }, nullptr},
    {"Adds", "f:f", "value", [](const EmitArgs& a) { return a.e.Add(a.in[0], a.e.Const(a.parameter(0))); }, nullptr},
    {"Axpy", "ff:f", "alpha", [](const EmitArgs& a) { return a.e.Fma(a.in[1], a.e.Const(a.parameter(0)), a.in[0]); }, nullptr},
    {"Ceil", "f:f", "", Native<Intrinsic::ceil>, nullptr},
    {"ClipByValue", "fff:f", "", [](const EmitArgs& a) { return Clip(a.e, a.in[0], a.in[1], a.in[2]); }, nullptr},
    {"ClipByValueV2", "fff:f", "", [](const EmitArgs& a) { return Clip(a.e, a.in[0], a.in[1], a.in[2]); }, nullptr},
    {"Div", "ff:f", "", [](const EmitArgs& a) { return a.e.Div(a.in[0], a.in[1]); }, nullptr},
    {"Elu", "f:f", "alpha,scale,input_scale", Elu, nullptr},
    {"Equal", "ff:b", "", Compare<CmpInst::FCMP_OEQ>, nullptr},
    {"Erf", "f:f", "", [](const EmitArgs& a) { return a.e.Erf(a.in[0]); }, nullptr},
    {"Exp", "f:f", "", [](const EmitArgs& a) { return a.e.Exp(a.in[0]); }, ReadExp},
    {"Expm1", "f:f", "", [](const EmitArgs& a) { return a.e.Expm1(a.in[0]); }, nullptr},
    {"Floor", "f:f", "", Native<Intrinsic::floor>, nullptr},
    {"Gelu", "f:f", "", Gelu, nullptr},
    {"GeluV2", "f:f", "", Gelu, ReadGelu},
    {"Greater", "ff:b", "", Compare<CmpInst::FCMP_OGT>, nullptr},
    {"GreaterEqual", "ff:b", "", Compare<CmpInst::FCMP_OGE>, nullptr},
    {"HardSigmoid", "f:f", "", [](const EmitArgs& a) { return a.e.Div(HardSigmoid6(a.e, a.in[0]), a.e.Const(6)); }, ReadHardSigmoid},
    {"HardSwish", "f:f", "", [](const EmitArgs& a) { return a.e.Div(a.e.Mul(a.in[0], HardSigmoid6(a.e, a.in[0])), a.e.Const(6)); }, nullptr},
    {"Inv", "f:f", "", [](const EmitArgs& a) { return a.e.Div(a.e.Const(1), a.in[0]); }, nullptr},
    {"IsNan", "f:b", "", [](const EmitArgs& a) { return a.e.Compare(CmpInst::FCMP_UNO, a.in[0], a.in[0]); }, nullptr},
    {"LeakyRelu", "f:f", "negative_slope", LeakyRelu, nullptr},
    {"Less", "ff:b", "", Compare<CmpInst::FCMP_OLT>, nullptr},
    {"LessEqual", "ff:b", "", Compare<CmpInst::FCMP_OLE>, nullptr},
    {"Log", "f:f", "", [](const EmitArgs& a) { return a.e.Log(a.in[0]); }, ReadExp},
    {"Log1p", "f:f", "", [](const EmitArgs& a) { return a.e.Log1p(a.in[0]); }, nullptr},
    {"LogicalAnd", "bb:b", "", [](const EmitArgs& a) { return a.e.builder().CreateAnd(a.in[0], a.in[1]); }, nullptr},
    {"LogicalNot", "b:b", "", [](const EmitArgs& a) { return a.e.builder().CreateNot(a.in[0]); }, nullptr},
    {"LogicalOr", "bb:b", "", [](const EmitArgs& a) { return a.e.builder().CreateOr(a.in[0], a.in[1]); }, nullptr},
    {"Maximum", "ff:f", "", [](const EmitArgs& a) { return a.e.Maximum(a.in[0], a.in[1]); }, nullptr},
    {"Minimum", "ff:f", "", [](const EmitArgs& a) { return a.e.Minimum(a.in[0], a.in[1]); }, nullptr},
    {"Mul", "ff:f", "", [](const EmitArgs& a) { return a.e.Mul(a.in[0], a.in[1]); }, nullptr},
    {"Muls", "f:f", "value", [](const EmitArgs& a) { return a.e.Mul(a.in[0], a.e.Const(a.parameter(0))); }, nullptr},
    {"Neg", "f:f", "", [](const EmitArgs& a) { return a.e.Neg(a.in[0]); }, nullptr},
    {"NotEqual", "ff:b", "", Compare<CmpInst::FCMP_UNE>, nullptr},
    {"RealDiv", "ff:f", "", [](const EmitArgs& a) { return a.e.Div(a.in[0], a.in[1]); }, nullptr},
    {"Reciprocal", "f:f", "", [](const EmitArgs& a) { return a.e.Div(a.e.Const(1), a.in[0]); }, nullptr},
    {"Relu", "f:f", "", Relu, nullptr},
    {"Relu6", "f:f", "", [](const EmitArgs& a) { return Clip(a.e, a.in[0], a.e.Const(0), a.e.Const(6)); }, nullptr},
    {"Round", "f:f", "", Native<Intrinsic::roundeven>, nullptr},
    {"Rsqrt", "f:f", "", [](const EmitArgs& a) { return a.e.Div(a.e.Const(1), a.e.Unary(Intrinsic::sqrt, a.in[0])); }, nullptr},
    {"SelectV2", "bff:f", "", [](const EmitArgs& a) { return a.e.Select(a.in[0], a.in[1], a.in[2]); }, nullptr},
    {"Sigmoid", "f:f", "", [](const EmitArgs& a) { return a.e.Sigmoid(a.in[0]); }, nullptr},
    {"Sign", "f:f", "", Sign, nullptr},
    {"SoftplusV2", "f:f", "beta,threshold", Softplus, nullptr},
    {"Sqrt", "f:f", "", Native<Intrinsic::sqrt>, nullptr},
    {"Square", "f:f", "", [](const EmitArgs& a) { return a.e.Mul(a.in[0], a.in[0]); }, nullptr},
    {"Sub", "ff:f", "", [](const EmitArgs& a) { return a.e.Sub(a.in[0], a.in[1]); }, nullptr},
    {"Swish", "f:f", "", [](const EmitArgs& a) { return a.e.Div(a.in[0], a.e.Add(a.e.Const(1), a.e.Exp(a.e.Neg(a.in[0])))); }, ReadSwish},
    {"Tanh", "f:f", "", [](const EmitArgs& a) { return a.e.Tanh(a.in[0]); }, nullptr},
    {"Trunc", "f:f", "", Native<Intrinsic::trunc>, nullptr},
};
static_assert(std::ranges::is_sorted(kRows, {}, &OpRow::op), "kRows is searched by bisection");

}  // namespace

const OpRow* FindOp(std::string_view op) {
  const auto* row = std::ranges::lower_bound(kRows, op, {}, &OpRow::op);
  return row != std::end(kRows) && row->op == op ? row : nullptr;
}

}  // namespace ge::jit
