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

GE_DEFINE_OP(SoftplusV2Grad)
    .Doc("Gradient of SoftplusV2")
    .Input("input_gradients", kFloatTypes)
    .Input("input_features", kFloatTypes)
    .Output("output_backprops", kFloatTypes)
    .Required("beta", AttrKind::kScalar)
    .Required("threshold", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::softplus_backward(input_gradients, input_features, @beta, @threshold)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C beta = Param<C>(c, "beta");
      const C threshold = Param<C>(c, "threshold");
      Map(
          c.outputs[0], [&](C grad, C x) { return x * beta > threshold ? grad : grad * std::exp(x * beta) / (std::exp(x * beta) + C(1)); },
          Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(SoftplusV2Grad, Kernel);

}  // namespace ge
