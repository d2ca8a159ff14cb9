#include "host_kernels/array_ops/slice_kernel_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const std::vector<int64_t> offsets = ctx.Ints("offsets"), sizes = ctx.Ints("size");
  return InferSlice(ctx.input(0), std::vector<Dim>(offsets.begin(), offsets.end()), std::vector<Dim>(sizes.begin(), sizes.end()), "SliceD");
}

struct SliceDKernel {
  static Status Compute(const HostKernelContext& ctx) { return SliceTensor(ctx, ctx.node.Ints("offsets")); }
};

}  // namespace

GE_DEFINE_OP(SliceD)
    .Doc("As Slice with offsets and sizes as attributes.")
    .Input("x")
    .Output("y")
    .Required("offsets", AttrKind::kInts)
    .Required("size", AttrKind::kInts)
    .Traits(kView)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(SliceD, SliceDKernel);

}  // namespace ge
