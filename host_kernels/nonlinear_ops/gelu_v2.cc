#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  const std::string kind = ctx.Str("approximate");
  if (kind != "none" && kind != "tanh") return InvalidArgument(StrCat("approximate is '", kind, "', expected 'none' or 'tanh'"));
  return InferSame(ctx);
}

}  // namespace

GE_DEFINE_OP(GeluV2)
    .Doc("x * Phi(x), through erf or, for approximate = tanh, through tanh")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .String("approximate", "none")
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::gelu(x, @approximate)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const bool by_tanh = c.node.Str("approximate") == "tanh";
    return UnaryFloat(c, [by_tanh](auto x) {
      using C = decltype(x);
      constexpr C half = C(0.5), sqrt_half = C(0.70710678118654752440), beta = C(0.79788456080286535588), kappa = C(0.044715);
      return by_tanh ? half * x * (C(1) + std::tanh(beta * (x + kappa * (x * x * x)))) : half * x * (C(1) + std::erf(x * sqrt_half));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(GeluV2, Kernel);

}  // namespace ge
