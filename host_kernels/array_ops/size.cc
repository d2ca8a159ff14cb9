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
  return Types{ValueType::Tensor(dtype, {})};
}

struct SizeKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const int64_t count = ctx.inputs[0]->num_elements();
    StoreInts(ctx.outputs[0], {&count, 1});
    return {};
  }
  static Status ComputeFromNode(const Node& node, std::span<Tensor> outputs) {
    if (!node.input(0)->type().IsStatic())
      return FailedPrecondition(StrCat("Size: the shape of ", node.input(0)->producer()->name(), " is not known"));
    const int64_t count = node.input(0)->type().StaticNumElements();
    StoreInts(outputs[0], {&count, 1});
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(Size)
    .Doc("The number of elements of x as an integer scalar.")
    .Input("x")
    .Output("y", kIndexTypes)
    .Int("dtype", 3)
    .Traits(kValueFromType)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(Size, SizeKernel);

}  // namespace ge
