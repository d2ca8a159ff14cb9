#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"value"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(Addcdiv)
    .Doc("input_data + value * x1 / x2")
    .Input("input_data", kFloatTypes | kComplexes)
    .Input("x1", kFloatTypes | kComplexes)
    .Input("x2", kFloatTypes | kComplexes)
    .Output("y", kFloatTypes | kComplexes)
    .Required("value", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::addcdiv(input_data, x1, x2, @value)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C value = ScalarAs<C>(c.node.attr("value"), y.dtype(), ScalarIs::kExact);
      Map(
          c.outputs[0], [value](C x, C a, C b) { return x + value * a / b; }, Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y),
          Load<C>(*In(c, 2), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Addcdiv, Kernel);

}  // namespace ge
