#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.has_input(2) != ctx.attr("scalar").IsNone())
    return InvalidArgument("expected either the operand 'weight' or the attribute 'scalar'");
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"scalar"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(Lerp)
    .Doc("start + weight * (end - start)")
    .Input("start", kFloatTypes | kComplexes)
    .Input("end", kFloatTypes | kComplexes)
    .OptionalInput("weight", kFloatTypes | kComplexes)
    .Output("y", kFloatTypes | kComplexes)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::lerp.Tensor(start, end, weight)")
    .Aten("aten::lerp.Scalar(start, end, @scalar)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0],
          [](C start, C end, C weight) {
            // From the nearer end: weight 1 gives exactly `end`.
            return std::abs(weight) < C(0.5) ? start + weight * (end - start) : end - (end - start) * (C(1) - weight);
          },
          Load<C>(*In(c, 0), y), Load<C>(*In(c, 1), y), LoadOrScalar<C>(c, 2, y.dtype(), ScalarIs::kExact));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Lerp, Kernel);

}  // namespace ge
