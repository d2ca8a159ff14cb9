#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"negative_slope"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(LeakyRelu)
    .Doc("x where x > 0, else negative_slope * x")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("negative_slope", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::leaky_relu(x, @negative_slope)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C negative_slope = Param<C>(c, "negative_slope");
      Map(c.outputs[0], [&](C x) { return x > 0 ? x : x * negative_slope; }, Load<C>(*In(c, 0), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(LeakyRelu, Kernel);

}  // namespace ge
