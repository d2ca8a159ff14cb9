#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Shape shape, BroadcastInputs(ctx, 0, 1));
  const DType t = ctx.input(0).dtype();
  GE_RETURN_IF_ERROR(CheckScalars(ctx, t, {"scale"}));
  return Types{ValueType::Tensor(t, std::move(shape))};
}

}  // namespace

GE_DEFINE_OP(DropOutDoMask)
    .Doc("grad * (mask * scale): the gradient of dropout. NaN stays where the mask is false")
    .Input("x", kFloatTypes)
    .Input("mask", kBoolType)
    .Output("y", kFloatTypes)
    .Required("scale", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::native_dropout_backward(x, mask, @scale)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C kept = Param<C>(c, "scale");
      Map(c.outputs[0], [kept](C x, bool keep) { return x * (keep ? kept : C(0)); }, Load<C>(*In(c, 0), y), Load<bool>(*In(c, 1), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(DropOutDoMask, Kernel);

}  // namespace ge
