#include "host_kernels/convert.h"
#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.inputs.empty()) return InvalidArgument("Pack: expected at least one tensor");
  Shape shape = ctx.input(0).shape();
  std::optional<DType> dtype = ctx.input(0).dtype();
  for (const ValueType* t : ctx.inputs) {
    if (dtype) dtype = PromoteDTypes(*dtype, t->dtype());  // all have the same rank: scalars promote among themselves
    if (t->shape().size() != shape.size())
      return InvalidArgument(StrCat("Pack: ranks differ: ", ToString(ctx.input(0)), " and ", ToString(*t)));
    for (size_t d = 0; d < shape.size(); ++d) {
      const Dim& e = t->shape()[d];
      if (CertainlyDifferent(shape[d], e))
        return InvalidArgument(StrCat("Pack: shapes differ: ", ToString(ctx.input(0)), " and ", ToString(*t)));
      if (!shape[d].IsConst() && (e.IsConst() || shape[d].IsUnknown())) shape[d] = e;
    }
  }
  if (!dtype) return Unimplemented("Pack: the operands have no common dtype known here");
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.Int("axis"), static_cast<int64_t>(shape.size()) + 1, "Pack"));
  shape.insert(shape.begin() + axis, Dim(static_cast<int64_t>(ctx.inputs.size())));
  return Types{ValueType::Tensor(*dtype, std::move(shape))};
}

struct PackKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];
    std::vector<int64_t> extents = Extents(out.type()), strides = RowStrides(extents);
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("axis"), static_cast<int64_t>(extents.size()), "Pack"));
    const int64_t step = strides[static_cast<size_t>(axis)];
    extents.erase(extents.begin() + axis);
    strides.erase(strides.begin() + axis);
    int64_t at = 0;
    for (const Tensor* t : ctx.inputs) {
      GE_ASSIGN_OR_RETURN(const Tensor converted, ConvertTensor(*t, out.dtype(), "Pack"));
      CopyToStrided(out.mutable_data<void>(), converted.data<void>(), SizeOf(out.dtype()), extents, strides, at++ * step);
    }
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(Pack)
    .Doc("The operands, all of one shape, stacked along a new axis.")
    .VariadicInput("x")
    .Output("y")
    .Int("axis", 0)
    .Int("N", 0)
    .Infer(Infer)
    .Aten("aten::stack(x, @axis)");
REGISTER_COMPUTE_NODE_KERNEL(Pack, PackKernel);

}  // namespace ge
