#include <cstring>

#include "host_kernels/element_util.h"
#include "host_kernels/index_ops/index_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType &x = ctx.input(0), &value = ctx.input(1);
  if (x.dtype() != value.dtype()) return Unimplemented(StrCat("IndexPutV2: values of ", Name(value.dtype()), " into ", Name(x.dtype())));
  GE_ASSIGN_OR_RETURN(const IndexShape shape, InferIndexed(ctx, x, 2));
  // The values broadcast to what is indexed, never the other way round.
  for (size_t k = 0; k < value.shape().size(); ++k) {
    const Dim& v = value.shape()[value.shape().size() - 1 - k];
    const Dim r = k < shape.result.size() ? shape.result[shape.result.size() - 1 - k] : Dim(1);
    if (!v.Is(1) && CertainlyDifferent(v, r))
      return InvalidArgument(
          StrCat("IndexPutV2: values ", ToString(value), " do not broadcast to the indexed shape; ", v.ToString(), " met ", r.ToString()));
  }
  return Types{ValueType::Tensor(x.dtype(), x.shape())};
}

struct IndexPutV2Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor &x = *ctx.inputs[0], &value = *ctx.inputs[1];
    Tensor& out = ctx.outputs[0];
    GE_ASSIGN_OR_RETURN(const std::vector<int64_t> offsets, IndexedOffsets(ctx, x, 2));
    GE_RETURN_IF_ERROR(CopyBytes(ctx));
    // Positions of the values: broadcast to the indexed shape.
    std::vector<const ValueType*> types;
    for (const Tensor* t : ctx.inputs) types.push_back(t ? &t->type() : nullptr);
    GE_ASSIGN_OR_RETURN(const IndexShape shape, InferIndexed(InferContext{ctx.node.op(), types, ctx.node.attrs(), {}}, x.type(), 2));
    std::vector<int64_t> result;
    for (const Dim& d : shape.result) result.push_back(d.value());
    std::vector<int64_t> own = Extents(value.type()), own_strides = RowStrides(own), strides(result.size(), 0);
    while (own.size() > result.size()) {  // leading extents of 1
      if (own.front() != 1) return InvalidArgument("IndexPutV2: the values have more axes than what is indexed");
      own.erase(own.begin());
      own_strides.erase(own_strides.begin());
    }
    for (size_t i = 0; i < own.size(); ++i)
      if (own[i] != 1) strides[result.size() - own.size() + i] = own_strides[i];
    size_t k = 0;
    if (!ctx.node.Bool("accumulate")) {
      const size_t size = SizeOf(x.dtype());
      ForEachOffset(result, strides, 0, [&](int64_t from) {
        std::memcpy(out.mutable_data<std::byte>() + static_cast<size_t>(offsets[k++]) * size,
                    value.data<std::byte>() + static_cast<size_t>(from) * size, size);
      });
      return {};
    }
    return elem::VisitArithmetic(x.dtype(), "IndexPutV2", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      ForEachOffset(result, strides, 0, [&](int64_t from) {
        T& to = out.mutable_data<T>()[offsets[k++]];
        to = elem::Narrow<T>(elem::WrapAdd(elem::Widen(to), elem::Widen(value.data<T>()[from])));
      });
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(IndexPutV2)
    .Doc("x with x[indices] replaced by value (or value added, accumulate); value broadcasts to the indexed shape.")
    .Input("x")
    .Input("value")
    .OptionalVariadicInput("indices", kIndexTypes | TypesOf(DType::kBool, DType::kU8))
    .Output("y")
    .Bool("accumulate", false)
    .Infer(Infer)
    .Aten("aten::index_put(x, indices, value, @accumulate)")
    .Aten("aten::_unsafe_index_put(x, indices, value, @accumulate)");
REGISTER_COMPUTE_NODE_KERNEL(IndexPutV2, IndexPutV2Kernel);

}  // namespace ge
