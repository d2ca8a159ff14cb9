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
  Types types;
  for (const ValueType* x : ctx.inputs) types.push_back(ValueType::Tensor(dtype, {x->rank()}));
  return types;
}

struct ShapeNKernel {
  static Status Compute(const HostKernelContext& ctx) {
    for (size_t i = 0; i < ctx.inputs.size(); ++i) StoreInts(ctx.outputs[i], Extents(ctx.inputs[i]->type()));
    return {};
  }
  static Status ComputeFromNode(const Node& node, std::span<Tensor> outputs) {
    for (int i = 0; i < node.num_inputs(); ++i) {
      if (!node.input(i)->type().IsStatic()) return FailedPrecondition(StrCat("ShapeN: the shape of operand ", i, " is not known"));
      StoreInts(outputs[static_cast<size_t>(i)], Extents(node.input(i)->type()));
    }
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(ShapeN)
    .Doc("The extents of every x, each as a one-dimensional integer tensor.")
    .VariadicInput("x")
    .VariadicOutput("y", kIndexTypes)
    .Int("dtype", 3)
    .Traits(kValueFromType)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(ShapeN, ShapeNKernel);

}  // namespace ge
