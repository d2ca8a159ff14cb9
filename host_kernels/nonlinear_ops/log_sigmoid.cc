#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const Types y, InferSame(ctx));
  return Types{y[0], y[0]};
}

}  // namespace

GE_DEFINE_OP(LogSigmoid)
    .Doc("ln(sigmoid(x)); buffer = e^-|x|, kept for the gradient")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Output("buffer", kFloatTypes)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::log_sigmoid_forward(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const auto x = Load<C>(*In(c, 0), y);
      Map(c.outputs[1], [](C v) { return std::exp(-std::abs(v)); }, x);
      Map(c.outputs[0], [](C v) { return Min(C(0), v) - std::log1p(std::exp(-std::abs(v))); }, x);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(LogSigmoid, Kernel);

}  // namespace ge
