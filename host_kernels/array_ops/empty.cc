#include "host_kernels/array_ops/factory.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Shape shape, FactoryShape(ctx, 0));
  return Types{ValueType::Tensor(DTypeOr(ctx, ctx.has_input(1) ? ctx.input(1).dtype() : DType::kF32), std::move(shape))};
}

struct EmptyKernel {
  // Zeros are as good as any content, and the same in every run.
  static Status Compute(const HostKernelContext&) { return {}; }
};

}  // namespace

GE_DEFINE_OP(Empty)
    .Doc("A tensor of the given shape with unspecified content; dtype absent: that of like, else f32.")
    .Input("shape", kIndexTypes)
    .OptionalInput("like")
    .Output("y")
    .Optional("dtype", AttrKind::kType)
    .Bool("init", false)
    .Optional("memory_format", AttrKind::kAny)
    .Infer(Infer)
    .GE_FACTORY_ROWS("aten::empty.memory_format(#shape, @dtype, ", ", @memory_format)")
    .Aten("aten::new_empty(like, #shape, @dtype, none, none, none)")
    .Aten("aten::new_empty(like, #shape, @dtype, none, none, false)")
    .Aten("aten::new_empty(like, #shape, @dtype, none, \"cpu\", false)");
REGISTER_COMPUTE_NODE_KERNEL(Empty, EmptyKernel);

}  // namespace ge
