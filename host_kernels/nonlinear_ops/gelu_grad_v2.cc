#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

// d(x * Phi(x)) / dx = Phi(x) + x * phi(x)
template <typename C>
C SlopeByErf(C x) {
  constexpr C sqrt_half = C(0.70710678118654752440), inv_sqrt_2pi = C(0.39894228040143267794);
  return C(0.5) * (C(1) + std::erf(x * sqrt_half)) + x * (inv_sqrt_2pi * std::exp(C(-0.5) * x * x));
}
template <typename C>
C SlopeByTanh(C x) {
  constexpr C beta = C(0.79788456080286535588), kappa = C(0.044715);
  const C tanh = std::tanh(beta * (x + kappa * x * x * x));
  return C(0.5) * (C(1) + tanh) + C(0.5) * x * (C(1) - tanh * tanh) * beta * (C(1) + C(3) * kappa * x * x);
}

Result<Types> Infer(const InferContext& ctx) {
  const std::string kind = ctx.Str("approximate");
  if (kind != "none" && kind != "tanh") return InvalidArgument(StrCat("approximate is '", kind, "', expected 'none' or 'tanh'"));
  return InferBroadcast(ctx);
}

}  // namespace

GE_DEFINE_OP(GeluGradV2)
    .Doc("Gradient of GeluV2")
    .Input("dy", kFloatTypes)
    .Input("x", kFloatTypes)
    .Output("z", kFloatTypes)
    .String("approximate", "none")
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::gelu_backward(dy, x, @approximate)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    const bool by_tanh = c.node.Str("approximate") == "tanh";
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0], [by_tanh](C dy, C x) { return dy * (by_tanh ? SlopeByTanh(x) : SlopeByErf(x)); }, Load<C>(*In(c, 0), y),
          Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(GeluGradV2, Kernel);

}  // namespace ge
