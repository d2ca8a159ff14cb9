#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"lambd"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(HardShrink)
    .Doc("x where |x| > lambd, else 0")
    .Input("input_x", kFloatTypes)
    .Output("output_y", kFloatTypes)
    .Required("lambd", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::hardshrink(input_x, @lambd)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C lambd = Param<C>(c, "lambd");
      Map(c.outputs[0], [&](C x) { return x >= -lambd && x <= lambd ? C(0) : x; }, Load<C>(*In(c, 0), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(HardShrink, Kernel);

}  // namespace ge
