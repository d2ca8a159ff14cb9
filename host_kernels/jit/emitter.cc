#include "host_kernels/jit/emitter.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <limits>

// Coefficients: weighted minimax fits (Lawson iteration on Chebyshev nodes, 40 digits), rounded to f32.
namespace ge::jit {

V Emitter::Const(double v) const { return llvm::ConstantFP::get(FloatType(), llvm::APFloat(static_cast<float>(v))); }
V Emitter::IntConst(int32_t v) const { return llvm::ConstantInt::get(IntType(), static_cast<uint64_t>(static_cast<int64_t>(v)), true); }

V Emitter::Polynomial(V x, std::initializer_list<double> c) {
  const double* p = c.end();
  V sum = Const(*--p);
  while (p != c.begin()) sum = Fma(sum, x, Const(*--p));
  return sum;
}

V Emitter::Maximum(V x, V y) {
  const V larger = Select(Greater(x, y), x, y);
  return Select(b_.CreateFCmpUNO(x, y), Const(std::numeric_limits<double>::quiet_NaN()), larger);
}

V Emitter::Minimum(V x, V y) {
  const V smaller = Select(Less(x, y), x, y);
  return Select(b_.CreateFCmpUNO(x, y), Const(std::numeric_limits<double>::quiet_NaN()), smaller);
}

// n = nearest integer of x / ln 2 by adding 1.5 * 2^23: no float-to-int conversion, which is undefined for NaN.
Emitter::Reduced Emitter::Reduce(V x) {
  constexpr double kMagic = 12582912.0;
  const V shifted = Fma(x, Const(1.44269504088896341), Const(kMagic));
  const V n = Sub(shifted, Const(kMagic));
  const V n_int = b_.CreateSub(AsInt(shifted), IntConst(0x4b400000));
  const V r = Fma(n, Const(-1.42860677e-6), Fma(n, Const(-0.693145752), x));  // ln 2 in two parts, the first of 16 bits
  const V p =
      Polynomial(r, {0.5, 0.1666666567325592, 0.04166628047823906, 0.00833350419998169, 0.0013945752289146185, 0.0001978926593437791});
  return {n, n_int, Fma(Mul(r, r), p, r)};
}

V Emitter::ScaleByPowerOfTwo(V x, const Reduced& by) {
  if (avx512_) {
    llvm::Type* f = FloatType();
    return b_.CreateIntrinsic(llvm::Intrinsic::x86_avx512_mask_scalef_ps_512, {},
                              {x, by.n, llvm::Constant::getNullValue(f), b_.getInt16(0xffff), b_.getInt32(4)});
  }
  // Two factors, since 2^n itself may be out of range where x * 2^n is not.
  const V half = b_.CreateAShr(by.n_int, IntConst(1));
  const auto power = [&](V n) { return AsFloat(b_.CreateShl(b_.CreateAdd(n, IntConst(127)), IntConst(23))); };
  return Mul(Mul(x, power(half)), power(b_.CreateSub(by.n_int, half)));
}

V Emitter::Exp(V x) {
  // Beyond these bounds the result is 0 or infinity all the same; comparisons let NaN through.
  x = Select(Less(x, Const(-105)), Const(-105), x);
  x = Select(Greater(x, Const(90)), Const(90), x);
  const Reduced r = Reduce(x);
  return ScaleByPowerOfTwo(Add(Const(1), r.q), r);
}

V Emitter::Expm1(V x) {
  const V input = x;
  x = Select(Less(x, Const(-30)), Const(-30), x);
  x = Select(Greater(x, Const(88.8)), Const(88.8), x);  // n stays at 128, so 2^(n-1) below is a float; the result is infinity
  const Reduced r = Reduce(x);
  // 2^n (1 + q) - 1 with 2^(n-1) as factor, so that n = 128 does not overflow early.
  const V s = AsFloat(b_.CreateShl(b_.CreateAdd(r.n_int, IntConst(126)), IntConst(23)));
  const V y = Mul(Fma(s, r.q, Sub(s, Const(0.5))), Const(2));
  return Select(b_.CreateFCmpOEQ(input, Const(0)), input, y);  // keeps -0.0
}

V Emitter::Log(V x) {
  const V tiny = Less(x, Const(std::numeric_limits<float>::min()));
  const V scaled = Select(tiny, Mul(x, Const(33554432.0)), x);  // 2^25: denormals become normal
  // x = 2^k m, m in [sqrt(1/2), sqrt(2))
  const V bits = b_.CreateAdd(AsInt(scaled), IntConst(0x3f800000 - 0x3f3504f3));
  const V k_int = b_.CreateSub(b_.CreateAShr(bits, IntConst(23)), IntConst(127));
  const V k = Sub(b_.CreateSIToFP(k_int, FloatType()), Select(tiny, Const(25), Const(0)));
  const V m = AsFloat(b_.CreateAdd(b_.CreateAnd(bits, IntConst(0x7fffff)), IntConst(0x3f3504f3)));
  const V f = Sub(m, Const(1));
  const V p = Polynomial(f, {0.3333331346511841, -0.25000008940696716, 0.2000211924314499, -0.1666799634695053, 0.14219550788402557,
                             -0.12405591458082199, 0.11888174712657928, -0.11675640940666199, 0.06746601313352585});
  const V f2 = Mul(f, f);
  const V low = Fma(k, Const(1.42860677e-6), Fma(Mul(f2, f), p, Mul(Const(-0.5), f2)));
  const V y = Fma(k, Const(0.693145752), Add(f, low));
  const V inf = Const(std::numeric_limits<double>::infinity());
  V result = Select(b_.CreateFCmpOEQ(x, inf), inf, y);
  result = Select(b_.CreateFCmpOEQ(x, Const(0)), Neg(inf), result);
  return Select(b_.CreateFCmpULT(x, Const(0)), Const(std::numeric_limits<double>::quiet_NaN()), result);
}

V Emitter::Log1p(V x) {
  const V u = Add(Const(1), x);
  // What rounding u lost, from the larger addend.
  const V lost = Select(Greater(x, Const(1)), Sub(Const(1), Sub(u, x)), Sub(x, Sub(u, Const(1))));
  const V y = Add(Log(u), Div(lost, u));
  // -1, infinity and below -1: the correction is 0/0 or worse, log(u) alone is exact. Zeros keep their sign.
  const V finite = b_.CreateAnd(Greater(u, Const(0)), Less(u, Const(std::numeric_limits<double>::infinity())));
  return Select(b_.CreateFCmpOEQ(x, Const(0)), x, Select(finite, y, Log(u)));
}

V Emitter::Tanh(V x) {
  const V t = Abs(x), z = Mul(x, x);
  const V p = Polynomial(
      z, {-0.3333333134651184, 0.133331760764122, -0.053942855447530746, 0.0216789860278368, -0.008123096078634262, 0.002092838054522872});
  const V small = Fma(Mul(x, z), p, x);
  const V large = Sub(Const(1), Div(Const(2), Add(Exp(Add(t, t)), Const(1))));
  // CopySign last: the polynomial makes +0 of -0. A NaN stays a NaN.
  return CopySign(Select(Less(t, Const(0.64)), small, large), x);
}

V Emitter::Erf(V x) {
  const V t = Abs(x), z = Mul(x, x);
  const V p = Polynomial(z, {0.12837916612625122, -0.37612631916999817, 0.11283687502145767, -0.026858940720558167, 0.005199906416237354,
                             -0.0008130011847242713, 8.316772436955944e-05});
  const V small = Fma(x, p, x);
  // erfc(t) = exp(-t (1 + Q(t))); from 4 on erf is 1 in f32.
  const V c = Select(Greater(t, Const(4)), Const(4), t);
  const V q = Polynomial(c, {0.1286521703004837, 0.6351358890533447, 0.1062631607055664, -0.023785360157489777, 0.0036537705454975367,
                             -0.00032565437140874565, 1.1522463864821475e-05});
  const V large = Sub(Const(1), Exp(Neg(Fma(c, q, c))));
  return Select(Less(t, Const(0.925)), small, CopySign(large, x));
}

}  // namespace ge::jit
