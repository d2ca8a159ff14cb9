#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// AscendIR's DT_INT32 is 3 and DT_INT64 is 9; other numbers are no index types.
Result<DType> IndexDType(const InferContext& ctx) {
  const int64_t code = ctx.Int("dtype");
  if (code == 3) return DType::kI32;
  if (code == 9) return DType::kI64;
  return InvalidArgument(StrCat(ctx.op.name, ": attribute dtype is ", code, "; expected 3 (DT_INT32) or 9 (DT_INT64)"));
}

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const DType dtype, IndexDType(ctx));
  return Types{ValueType::Tensor(dtype, {ctx.input(0).rank()})};
}

struct ShapeKernel {
  static Status Compute(const HostKernelContext& ctx) {
    StoreInts(ctx.outputs[0], Extents(ctx.inputs[0]->type()));
    return {};
  }
  static Status ComputeFromNode(const Node& node, std::span<Tensor> outputs) {
    if (!node.input(0)->type().IsStatic())
      return FailedPrecondition(StrCat("Shape: the shape of ", node.input(0)->producer()->name(), " is not known"));
    StoreInts(outputs[0], Extents(node.input(0)->type()));
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(Shape)
    .Doc("The extents of x as a one-dimensional integer tensor.")
    .Input("x")
    .Output("y", kIndexTypes)
    .Int("dtype", 3)
    .Traits(kValueFromType)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(Shape, ShapeKernel);

}  // namespace ge
