#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

// Integers wrap; a negative exponent gives 1 / x^|e| rounded towards 0.
int64_t Power(int64_t x, int64_t e) {
  if (e < 0) return x == 1 ? 1 : x == -1 ? (e % 2 ? -1 : 1) : 0;
  int64_t y = 1;
  for (; e; e >>= 1, x = WrapMul(x, x))
    if (e & 1) y = WrapMul(y, x);
  return y;
}

// PyTorch has forms of its own for these exponents, with other rounding (bf16 after every product) and other special
// values (sqrt(-inf) is NaN, pow(-inf, 0.5) is inf).
template <typename C>
C ByNumber(C x, double e, DType t) {
  const auto product = [t](C a, C b) { return t == DType::kBF16 ? RoundTo(t, a * b) : a * b; };
  if (e == 0) return 1;
  if (e == 1) return x;
  if (e == 0.5 && t != DType::kF16) return std::sqrt(x);
  if (e == -0.5 && t != DType::kF16) return C(1) / std::sqrt(x);
  if (e == 2) return x * x;
  if (e == 3) return product(product(x, x), x);
  if (e == -1) return C(1) / x;
  if (e == -2) return C(1) / product(x, x);
  return std::pow(x, RoundTo(t, static_cast<C>(e)));
}

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBinary(ctx));
  const Attr scalar = ctx.attr("scalar");
  if (const int64_t* e = scalar.Get<int64_t>(); e && *e < 0 && !ctx.has_input(1) && IsIntegral(y[0].dtype()))
    return InvalidArgument("Integers to negative integer powers are not allowed.");
  if (Category(scalar) == 3) return Unimplemented("a complex base or exponent");
  return y;
}

}  // namespace

GE_DEFINE_OP(Pow)
    .Doc("x1 ^ x2. Without x1 the number is the base")
    .OptionalInput("x1", kNumbers)
    .OptionalInput("x2", kNumbers)
    .Output("y", kNumbers)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::pow.Tensor_Tensor(x1, x2)")
    .Aten("aten::pow.Tensor_Scalar(x1, @scalar)")
    .Aten("aten::pow.Scalar(@scalar, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const DType t = c.outputs[0].dtype();
    if (!In(c, 1) && kFloatTypes.Has(t)) {
      const double exponent = c.node.Float("scalar");
      return UnaryFloat(c, [exponent, t](auto x) { return ByNumber(x, exponent, t); });
    }
    return BinaryReal(c, [](auto a, auto b) {
      if constexpr (std::is_integral_v<decltype(a)>)
        return Power(a, b);
      else
        return std::pow(a, b);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Pow, Kernel);

}  // namespace ge
