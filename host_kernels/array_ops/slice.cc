#include "host_kernels/array_ops/slice_kernel_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const std::vector<Dim> offsets, OperandDims(ctx, 1));
  GE_ASSIGN_OR_RETURN(const std::vector<Dim> sizes, OperandDims(ctx, 2));
  return InferSlice(ctx.input(0), offsets, sizes, "Slice");
}

struct SliceKernel {
  static Status Compute(const HostKernelContext& ctx) { return SliceTensor(ctx, IntsOf(*ctx.inputs[1])); }
};

}  // namespace

GE_DEFINE_OP(Slice)
    .Doc("size elements of x from offsets, axis by axis; a size of -1 reaches to the end.")
    .Input("x")
    .Input("offsets", kIndexTypes)
    .Input("size", kIndexTypes)
    .Output("y")
    .Traits(kView)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(Slice, SliceKernel);

}  // namespace ge
