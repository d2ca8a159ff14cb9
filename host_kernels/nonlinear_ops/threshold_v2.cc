#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"threshold", "value"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(ThresholdV2)
    .Doc("x where x > threshold (or NaN), else value")
    .Input("x", kReals)
    .Output("y", kReals)
    .Required("threshold", AttrKind::kScalar)
    .Required("value", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::threshold(x, @threshold, @value)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchReal(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C threshold = ScalarAs<C>(c.node.attr("threshold"), y.dtype(), ScalarIs::kRounded),
              value = ScalarAs<C>(c.node.attr("value"), y.dtype(), ScalarIs::kRounded);
      Map(c.outputs[0], [&](C x) { return x <= threshold ? value : x; }, Load<C>(*In(c, 0), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(ThresholdV2, Kernel);

}  // namespace ge
