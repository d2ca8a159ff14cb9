#include <cstring>

#include "host_kernels/index_ops/index_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(IndexShape shape, InferIndexed(ctx, ctx.input(0), 1));
  return Types{ValueType::Tensor(ctx.input(0).dtype(), std::move(shape.result))};
}

struct IndexByTensorKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    GE_ASSIGN_OR_RETURN(const std::vector<int64_t> offsets, IndexedOffsets(ctx, x, 1));
    const size_t size = SizeOf(x.dtype());
    std::byte* p = ctx.outputs[0].mutable_data<std::byte>();
    for (int64_t o : offsets) {
      std::memcpy(p, x.data<std::byte>() + static_cast<size_t>(o) * size, size);
      p += size;
    }
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(IndexByTensor)
    .Doc("x[indices]: one index a leading axis, an absent one keeps the axis whole; indices broadcast together, masks select.")
    .Input("x")
    .OptionalVariadicInput("indices", kIndexTypes | TypesOf(DType::kBool, DType::kU8))
    .Output("y")
    .Infer(Infer)
    .Aten("aten::index.Tensor(x, indices)")
    .Aten("aten::_unsafe_index.Tensor(x, indices)");
REGISTER_COMPUTE_NODE_KERNEL(IndexByTensor, IndexByTensorKernel);

}  // namespace ge
