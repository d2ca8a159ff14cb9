#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"threshold"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(ThresholdGradV2D)
    .Doc("Gradient of ThresholdV2 and Relu: gradients where features > threshold (or NaN), else 0")
    .Input("gradients", kReals)
    .Input("features", kReals)
    .Output("backprops", kReals)
    .Required("threshold", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::threshold_backward(gradients, features, @threshold)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchReal(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C threshold = ScalarAs<C>(c.node.attr("threshold"), y.dtype(), ScalarIs::kRounded);
      Map(
          c.outputs[0], [&](C gradient, C feature) { return feature <= threshold ? C(0) : gradient; }, Load<C>(*In(c, 0), y),
          Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(ThresholdGradV2D, Kernel);

}  // namespace ge
