#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferSame(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"alpha"}));
  if (ctx.Float("alpha") == 0) return InvalidArgument("ZeroDivisionError: alpha cannot be 0 for CELU");
  return y;
}

}  // namespace

GE_DEFINE_OP(CeluV2)
    .Doc("x where x > 0, else alpha * (e^(x / alpha) - 1)")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("alpha", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::celu(x, @alpha)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C alpha = Param<C>(c, "alpha"), inverse = static_cast<C>(1.0 / c.node.Float("alpha"));
      Map(c.outputs[0], [&](C x) { return x < 0 ? std::expm1(x * inverse) * alpha : x; }, Load<C>(*In(c, 0), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(CeluV2, Kernel);

}  // namespace ge
