#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"min_val", "max_val"}));
  return y;
}

}  // namespace

// Not ClipByValueV2: PyTorch keeps an integer tensor's dtype here even with float bounds, and rounds the bounds.
GE_DEFINE_OP(Hardtanh)
    .Doc("min(max(x, min_val), max_val) of a floating tensor; NaN stays")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("min_val", AttrKind::kScalar)
    .Required("max_val", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::hardtanh(x, @min_val, @max_val)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C low = ScalarAs<C>(c.node.attr("min_val"), y.dtype(), ScalarIs::kRounded),
              high = ScalarAs<C>(c.node.attr("max_val"), y.dtype(), ScalarIs::kRounded);
      Map(c.outputs[0], [low, high](C x) { return Min(Max(x, low), high); }, Load<C>(*In(c, 0), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Hardtanh, Kernel);

}  // namespace ge
