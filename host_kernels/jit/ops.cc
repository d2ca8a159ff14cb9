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
V Native(const EmitArgs& a) {
  return a.e.Unary(id, a.in[0]);
}
template <CmpInst::Predicate p>
V Compare(const EmitArgs& a) {
  return a.e.Compare(p, a.in[0], a.in[1]);
}

V Relu(const EmitArgs& a) { return a.e.Select(a.e.Less(a.in[0], a.e.Const(0)), a.e.Const(0), a.in[0]); }  // NaN and -0.0 stay
// A tie keeps x, as both of ATen's loops do: the sign of zero shows it.
V Clip(Emitter& e, V x, V low, V high) {
  const auto nan_or_less = [&](V a, V b) { return e.Compare(CmpInst::FCMP_ULT, a, b); };  // a NaN bound wins, a NaN x stays NaN
  const V at_least = e.Select(nan_or_less(x, low), e.Select(e.Compare(CmpInst::FCMP_UNO, x, x), x, low), x);
  return e.Select(nan_or_less(high, at_least), e.Select(e.Compare(CmpInst::FCMP_UNO, at_least, at_least), at_least, high), at_least);
}
V HardSigmoid6(Emitter& e, V x) { return Clip(e, e.Add(x, e.Const(3)), e.Const(0), e.Const(6)); }

V Gelu(const EmitArgs& a) {
  Emitter& e = a.e;
  const V x = a.in[0];
  if (!a.instruction.flag) {
    const V y = e.Mul(e.Mul(x, e.Const(0.5)), e.Add(e.Const(1), e.Erf(e.Mul(x, e.Const(M_SQRT1_2)))));
    // Eager's kernel for dense f32 gives NaN at +inf (and -inf * 0 is NaN at -inf).
    return e.Select(e.Compare(CmpInst::FCMP_OEQ, x, e.Const(HUGE_VAL)), e.Const(NAN), y);
  }
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

V Celu(const EmitArgs& a) {
  Emitter& e = a.e;
  const V x = a.in[0];
  return e.Select(e.Less(x, e.Const(0)), e.Mul(e.Expm1(e.Mul(x, e.Const(1.0 / a.parameter(0)))), e.Const(a.parameter(0))), x);
}

V Selu(const EmitArgs& a) {
  Emitter& e = a.e;
  const V x = a.in[0];
  constexpr double alpha = 1.6732632423543772848170429916717, scale = 1.0507009873554804934193349852946;
  return e.Select(e.Less(x, e.Const(0)), e.Mul(e.Expm1(x), e.Const(static_cast<float>(alpha) * static_cast<float>(scale))),
                  e.Mul(x, e.Const(scale)));
}

// PyTorch's own forms of some exponents; ReadPow admits these only.
V Pow(const EmitArgs& a) {
  Emitter& e = a.e;
  const V x = a.in[0], one = e.Const(1);
  const double p = a.parameter(0);
  if (p == 1) return x;
  if (p == 0.5) return e.Unary(Intrinsic::sqrt, x);
  if (p == -0.5) return e.Div(one, e.Unary(Intrinsic::sqrt, x));
  if (p == 2) return e.Mul(x, x);
  if (p == 3) return e.Mul(e.Mul(x, x), x);
  if (p == -1) return e.Div(one, x);
  return e.Div(one, e.Mul(x, x));
}

V IsInf(const EmitArgs& a) { return a.e.Compare(CmpInst::FCMP_OEQ, a.e.Abs(a.in[0]), a.e.Const(HUGE_VAL)); }
V IsFinite(const EmitArgs& a) { return a.e.Less(a.e.Abs(a.in[0]), a.e.Const(HUGE_VAL)); }
V And(const EmitArgs& a) { return a.e.builder().CreateAnd(a.in[0], a.in[1]); }
V Or(const EmitArgs& a) { return a.e.builder().CreateOr(a.in[0], a.in[1]); }
V Xor(const EmitArgs& a) { return a.e.builder().CreateXor(a.in[0], a.in[1]); }
V Not(const EmitArgs& a) { return a.e.builder().CreateNot(a.in[0]); }

// Refusals.
std::string ReadNaturalBase(const Node& node, Instruction&) { return node.Float("base") == -1.0 ? "" : "a base other than e"; }
std::string ReadGelu(const Node& node, Instruction& i) {
  const std::string approximate = node.Str("approximate");
  i.flag = approximate == "tanh";
  return i.flag || approximate == "none" ? "" : "unknown approximation '" + approximate + "'";
}
// The number is the exponent; as the base (without x1), or with two tensors, it is no form of ours.
std::string ReadPow(const Node& node, Instruction& i) {
  const auto p = node.attr("scalar").AsDouble();
  if (!p || !node.input(0)) return "only a number as exponent";
  i.parameters = {*p};
  for (double known : {1.0, 0.5, -0.5, 2.0, 3.0, -1.0, -2.0}) {
    if (*p == known) return {};
  }
  return StrCat("exponent ", *p);
}

// Bounds of a clip: numbers, or none.
std::optional<double> AbsentBound(const Node& node, size_t i) {
  const Attr bound = node.attr(i == 1 ? "min" : "max");
  if (i == 0) return std::nullopt;
  return bound.IsNone() ? std::optional<double>(i == 1 ? -HUGE_VAL : HUGE_VAL) : bound.AsDouble();
}

constexpr OpRow kRows[] = {
    {"Abs", "f:f", "", Native<Intrinsic::fabs>},
    {"Add", "ff:f", "", [](const EmitArgs& a) { return a.e.Add(a.in[0], a.in[1]); }},
    {"Addcdiv", "fff:f", "value",
     [](const EmitArgs& a) { return a.e.Add(a.in[0], a.e.Div(a.e.Mul(a.e.Const(a.parameter(0)), a.in[1]), a.in[2])); }},
    {"Addcmul", "fff:f", "value",
     [](const EmitArgs& a) { return a.e.Add(a.in[0], a.e.Mul(a.e.Mul(a.e.Const(a.parameter(0)), a.in[1]), a.in[2])); }},
    {"Adds", "f:f", "value", [](const EmitArgs& a) { return a.e.Add(a.in[0], a.e.Const(a.parameter(0))); }},
    {"Axpy", "ff:f", "alpha", [](const EmitArgs& a) { return a.e.Fma(a.in[1], a.e.Const(a.parameter(0)), a.in[0]); }},
    {"BitwiseAnd", "bb:b", "", And},
    {"BitwiseOr", "bb:b", "", Or},
    {"BitwiseXor", "bb:b", "", Xor},
    {"Ceil", "f:f", "", Native<Intrinsic::ceil>},
    {"CeluV2", "f:f", "alpha", Celu},
    {"ClipByValueV2", "fff:f", "", [](const EmitArgs& a) { return Clip(a.e, a.in[0], a.in[1], a.in[2]); }, nullptr, AbsentBound},
    {"Elu", "f:f", "alpha,scale,input_scale", Elu},
    {"Equal", "ff:b", "", Compare<CmpInst::FCMP_OEQ>},
    {"Erf", "f:f", "", [](const EmitArgs& a) { return a.e.Erf(a.in[0]); }},
    {"Exp", "f:f", "", [](const EmitArgs& a) { return a.e.Exp(a.in[0]); }, ReadNaturalBase},
    {"Expm1", "f:f", "", [](const EmitArgs& a) { return a.e.Expm1(a.in[0]); }},
    {"Floor", "f:f", "", Native<Intrinsic::floor>},
    {"GeluV2", "f:f", "", Gelu, ReadGelu},
    {"Greater", "ff:b", "", Compare<CmpInst::FCMP_OGT>},
    {"GreaterEqual", "ff:b", "", Compare<CmpInst::FCMP_OGE>},
    {"HardSigmoid", "f:f", "", [](const EmitArgs& a) { return a.e.Div(HardSigmoid6(a.e, a.in[0]), a.e.Const(6)); }},
    {"HardSwish", "f:f", "", [](const EmitArgs& a) { return a.e.Div(a.e.Mul(a.in[0], HardSigmoid6(a.e, a.in[0])), a.e.Const(6)); }},
    {"Hardtanh", "f:f", "min_val,max_val",
     [](const EmitArgs& a) { return Clip(a.e, a.in[0], a.e.Const(a.parameter(0)), a.e.Const(a.parameter(1))); }},
    {"Invert", "b:b", "", Not},
    {"IsFinite", "f:b", "", IsFinite},
    {"IsInf", "f:b", "", IsInf},
    {"IsNan", "f:b", "", [](const EmitArgs& a) { return a.e.Compare(CmpInst::FCMP_UNO, a.in[0], a.in[0]); }},
    {"LeakyRelu", "f:f", "negative_slope", LeakyRelu},
    {"Less", "ff:b", "", Compare<CmpInst::FCMP_OLT>},
    {"LessEqual", "ff:b", "", Compare<CmpInst::FCMP_OLE>},
    {"Log", "f:f", "", [](const EmitArgs& a) { return a.e.Log(a.in[0]); }, ReadNaturalBase},
    {"Log1p", "f:f", "", [](const EmitArgs& a) { return a.e.Log1p(a.in[0]); }},
    {"LogicalAnd", "bb:b", "", And},
    {"LogicalNot", "b:b", "", Not},
    {"LogicalOr", "bb:b", "", Or},
    {"LogicalXor", "bb:b", "", Xor},
    {"MaskedFill", "fbf:f", "", [](const EmitArgs& a) { return a.e.Select(a.in[1], a.in[2], a.in[0]); }},
    // Maximum and Minimum are left to ATen: of 0.0 and -0.0 its vector loop and its scalar tail pick different ones, so the sign
    // of the result depends on the element's position.
    {"Mish", "f:f", "", [](const EmitArgs& a) { return a.e.Mul(a.in[0], a.e.Tanh(a.e.Log1p(a.e.Exp(a.in[0])))); }},
    {"Mul", "ff:f", "", [](const EmitArgs& a) { return a.e.Mul(a.in[0], a.in[1]); }},
    {"Muls", "f:f", "value", [](const EmitArgs& a) { return a.e.Mul(a.in[0], a.e.Const(a.parameter(0))); }},
    {"Neg", "f:f", "", [](const EmitArgs& a) { return a.e.Neg(a.in[0]); }},
    {"NotEqual", "ff:b", "", Compare<CmpInst::FCMP_UNE>},
    {"Pow", "f:f", "", Pow, ReadPow},
    {"RealDiv", "ff:f", "", [](const EmitArgs& a) { return a.e.Div(a.in[0], a.in[1]); }},
    {"Reciprocal", "f:f", "", [](const EmitArgs& a) { return a.e.Div(a.e.Const(1), a.in[0]); }},
    {"Relu", "f:f", "", Relu},
    {"Relu6", "f:f", "", [](const EmitArgs& a) { return Clip(a.e, a.in[0], a.e.Const(0), a.e.Const(6)); }},
    {"Round", "f:f", "", Native<Intrinsic::roundeven>},
    {"Rsqrt", "f:f", "", [](const EmitArgs& a) { return a.e.Div(a.e.Const(1), a.e.Unary(Intrinsic::sqrt, a.in[0])); }},
    {"SelectV2", "bff:f", "", [](const EmitArgs& a) { return a.e.Select(a.in[0], a.in[1], a.in[2]); }},
    {"Selu", "f:f", "", Selu},
    {"Sigmoid", "f:f", "", [](const EmitArgs& a) { return a.e.Sigmoid(a.in[0]); }},
    {"SigmoidGrad", "ff:f", "", [](const EmitArgs& a) { return a.e.Mul(a.e.Mul(a.in[1], a.e.Sub(a.e.Const(1), a.in[0])), a.in[0]); }},
    {"Sign", "f:f", "", Sign},
    {"SoftplusV2", "f:f", "beta,threshold", Softplus},
    {"Sqrt", "f:f", "", Native<Intrinsic::sqrt>},
    {"Square", "f:f", "", [](const EmitArgs& a) { return a.e.Mul(a.in[0], a.in[0]); }},
    {"Sub", "ff:f", "", [](const EmitArgs& a) { return a.e.Sub(a.in[0], a.in[1]); }},
    {"Swish", "f:f", "", [](const EmitArgs& a) { return a.e.Div(a.in[0], a.e.Add(a.e.Const(1), a.e.Exp(a.e.Neg(a.in[0])))); }},
    {"Sxpy", "ff:f", "alpha", [](const EmitArgs& a) { return a.e.Fma(a.in[1], a.e.Const(-a.parameter(0)), a.in[0]); }},
    {"Tanh", "f:f", "", [](const EmitArgs& a) { return a.e.Tanh(a.in[0]); }},
    {"TanhGrad", "ff:f", "", [](const EmitArgs& a) { return a.e.Mul(a.in[1], a.e.Sub(a.e.Const(1), a.e.Mul(a.in[0], a.in[0]))); }},
    {"ThresholdV2", "f:f", "threshold,value",
     [](const EmitArgs& a) {
       return a.e.Select(a.e.Compare(CmpInst::FCMP_OLE, a.in[0], a.e.Const(a.parameter(0))), a.e.Const(a.parameter(1)), a.in[0]);
     }},
    {"Trunc", "f:f", "", Native<Intrinsic::trunc>},
};
static_assert(std::ranges::is_sorted(kRows, {}, &OpRow::op), "kRows is searched by bisection");

}  // namespace

const OpRow kConstantRow{"#", ":f", "", [](const EmitArgs& a) { return a.e.Const(a.parameter(0)); }};

const OpRow* FindOp(std::string_view op) {
  const auto* row = std::ranges::lower_bound(kRows, op, {}, &OpRow::op);
  return row != std::end(kRows) && row->op == op ? row : nullptr;
}

}  // namespace ge::jit
