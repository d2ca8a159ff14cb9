#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"alpha", "scale", "input_scale"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(Elu)
    .Doc("scale * x where x > 0, else alpha * scale * (e^(x * input_scale) - 1)")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("alpha", AttrKind::kScalar)
    .Required("scale", AttrKind::kScalar)
    .Required("input_scale", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::elu(x, @alpha, @scale, @input_scale)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C scale = Param<C>(c, "scale"), input_scale = Param<C>(c, "input_scale"), negative = Param<C>(c, "alpha") * scale;
      Map(c.outputs[0], [&](C x) { return x < 0 ? std::expm1(x * input_scale) * negative : x * scale; }, Load<C>(*In(c, 0), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Elu, Kernel);

}  // namespace ge
