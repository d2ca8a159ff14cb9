#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Shape shape, FactoryShape(ctx, 0));
  const Attr scalar = ctx.attr("fill_value");
  if (ctx.has_input(1) == !scalar.IsNone())
    return InvalidArgument("Fill: the value comes from the operand 'value' or the attribute fill_value, exactly one of them");
  if (ctx.has_input(1)) {
    if (ctx.input(1).rank() != 0 && !MayHaveEqualSize(ctx.input(1).shape(), {}))
      return InvalidArgument("Fill: operand 'value' must hold one element");
    return Types{ValueType::Tensor(ctx.input(1).dtype(), std::move(shape))};
  }
  if (ctx.has_input(2)) return Types{ValueType::Tensor(DTypeOr(ctx, ctx.input(2).dtype()), std::move(shape))};
  const auto natural = DTypeOfScalar(scalar);
  if (!natural) return InvalidArgument(StrCat("Fill: fill_value must be a number, found ", ToString(scalar)));
  return Types{ValueType::Tensor(DTypeOr(ctx, *natural), std::move(shape))};
}

struct FillKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];
    if (ctx.inputs.size() > 1 && ctx.inputs[1]) {
      if (ctx.inputs[1]->num_elements() != 1) return InvalidArgument("Fill: operand 'value' must hold one element");
      SplatElement(out, ctx.inputs[1]->data<void>());
      return {};
    }
    return FillWith(ctx.node.attr("fill_value"), out, "Fill");
  }
};

}  // namespace

// zeros and ones are Fill too: one canonical constant-filled tensor.
GE_DEFINE_OP(Fill)
    .Doc(
        "A tensor of shape dims whose elements are the operand value, or the attribute fill_value as dtype (like's dtype, else the value's "
        "own).")
    .Input("dims", kIndexTypes)
    .OptionalInput("value")
    .OptionalInput("like")
    .Output("y")
    .Optional("fill_value", AttrKind::kScalar)
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::full(#dims, @fill_value, @dtype, ", ")")
    .GE_FACTORY_ROWS("aten::zeros(#dims, @dtype, ", ") if fill_value=0.0")
    .GE_FACTORY_ROWS("aten::ones(#dims, @dtype, ", ") if fill_value=1.0")
    .Aten("aten::new_full(like, #dims, @fill_value, @dtype, none, none, none)")
    .Aten("aten::new_full(like, #dims, @fill_value, @dtype, none, none, false)")
    .Aten("aten::new_full(like, #dims, @fill_value, @dtype, none, \"cpu\", false)")
    .Aten("aten::new_zeros(like, #dims, @dtype, none, none, none) if fill_value=0.0")
    .Aten("aten::new_zeros(like, #dims, @dtype, none, none, false) if fill_value=0.0")
    .Aten("aten::new_zeros(like, #dims, @dtype, none, \"cpu\", false) if fill_value=0.0")
    .Aten("aten::new_zeros(like, #dims, @dtype, \"strided\", \"cpu\", false) if fill_value=0.0")
    .Aten("aten::new_zeros(like, #dims, @dtype, \"strided\", \"cpu\", none) if fill_value=0.0")
    .Aten("aten::new_ones(like, #dims, @dtype, none, none, none) if fill_value=1.0")
    .Aten("aten::new_ones(like, #dims, @dtype, none, none, false) if fill_value=1.0")
    .Aten("aten::new_ones(like, #dims, @dtype, none, \"cpu\", false) if fill_value=1.0");
REGISTER_COMPUTE_NODE_KERNEL(Fill, FillKernel);

}  // namespace ge
