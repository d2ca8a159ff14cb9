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

GE_DEFINE_OP(HardtanhGrad)
    .Doc("Gradient of Hardtanh: grad inside the bounds, else 0")
    .Input("result", kFloatTypes)
    .Input("grad", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("min_val", AttrKind::kScalar)
    .Required("max_val", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::hardtanh_backward(grad, result, @min_val, @max_val)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C min_val = Param<C>(c, "min_val");
      const C max_val = Param<C>(c, "max_val");
      Map(
          c.outputs[0], [&](C result, C grad) { return result > min_val && result < max_val ? grad : C(0); }, Load<C>(*In(c, 0), y),
          Load<C>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(HardtanhGrad, Kernel);

}  // namespace ge
