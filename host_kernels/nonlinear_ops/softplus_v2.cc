#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"beta", "threshold"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(SoftplusV2)
    .Doc("ln(1 + e^(beta * x)) / beta; x where beta * x exceeds the threshold")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("beta", AttrKind::kScalar)
    .Required("threshold", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::softplus(x, @beta, @threshold)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C beta = Param<C>(c, "beta");
      const C threshold = Param<C>(c, "threshold");
      Map(c.outputs[0], [&](C x) { return x * beta > threshold ? x : std::log1p(std::exp(x * beta)) / beta; }, Load<C>(*In(c, 0), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(SoftplusV2, Kernel);

}  // namespace ge
