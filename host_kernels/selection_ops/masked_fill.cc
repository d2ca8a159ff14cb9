#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

// The result keeps x's dtype; a number of a higher category would be cut to it, which is left to PyTorch.
Result<Types> Infer(const InferContext& ctx) {
  if (ctx.has_input(2) != ctx.attr("scalar").IsNone())
    return InvalidArgument("expected either the operand 'value' or the attribute 'scalar'");
  if (!ctx.input(0).IsTensor()) return Unimplemented("input 0 is no tensor");
  const DType t = ctx.input(0).dtype();
  GE_RETURN_IF_ERROR(CheckScalars(ctx, t, {"scalar"}));
  if (ctx.has_input(2) && (!ctx.input(2).IsTensor() || ctx.input(2).rank() != 0 || ctx.input(2).dtype() != t))
    return Unimplemented(StrCat("value is ", ToString(ctx.input(2)), ", expected a 0-d tensor of dtype ", Name(t)));
  GE_ASSIGN_OR_RETURN(Shape shape, BroadcastInputs(ctx, 0, 1));
  return Types{ValueType::Tensor(t, std::move(shape))};
}

}  // namespace

GE_DEFINE_OP(MaskedFill)
    .Doc("value where the mask holds, else x; the value is a 0-d operand or the attribute `scalar`")
    .Input("x", kAll)
    .Input("mask", kBoolType)
    .OptionalInput("value", kAll)
    .Output("y", kAll)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::masked_fill.Scalar(x, mask, @scalar)")
    .Aten("aten::masked_fill.Tensor(x, mask, value)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchAll(c, y.dtype(), [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0], [](C x, bool fill, C value) { return fill ? value : x; }, Load<C>(*In(c, 0), y), Load<bool>(*In(c, 1), y),
          LoadOrScalar<C>(c, 2, y.dtype()));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(MaskedFill, Kernel);

}  // namespace ge
