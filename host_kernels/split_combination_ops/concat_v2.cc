#include "host_kernels/convert.h"
#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// torch.cat skips one-dimensional tensors without elements among tensors of another rank, a rule from old times.
bool Skipped(const ValueType& t) { return t.rank() == 1 && t.shape()[0].Is(0); }

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.inputs.empty()) return InvalidArgument("ConcatV2: expected at least one tensor");
  const ValueType* first = nullptr;
  std::optional<DType> dtype = ctx.input(0).dtype();
  for (const ValueType* t : ctx.inputs) {
    if (t->rank() == 0) return InvalidArgument("ConcatV2: a scalar cannot be concatenated");
    if (dtype) dtype = PromoteDTypes(*dtype, t->dtype());
    if (!first && !Skipped(*t)) first = t;
  }
  if (!dtype) return Unimplemented("ConcatV2: the operands have no common dtype known here");
  if (!first) first = ctx.inputs[0];
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.Int("concat_dim"), first->rank(), "ConcatV2"));
  Shape shape = first->shape();
  Dim total = 0;
  for (const ValueType* t : ctx.inputs) {
    if (Skipped(*t)) continue;
    if (t->rank() == 1 && first->rank() != 1 && !t->shape()[0].IsConst())
      return Unimplemented("ConcatV2: a vector of unknown extent may be one that is skipped");
    if (t->rank() != first->rank()) return InvalidArgument(StrCat("ConcatV2: ranks differ: ", ToString(*first), " and ", ToString(*t)));
    for (size_t d = 0; d < shape.size(); ++d) {
      if (static_cast<int64_t>(d) == axis) continue;
      const Dim& e = t->shape()[d];
      if (CertainlyDifferent(shape[d], e))
        return InvalidArgument(
            StrCat("ConcatV2: extents differ at axis ", static_cast<int64_t>(d), ": ", ToString(*first), " and ", ToString(*t)));
      if (!shape[d].IsConst() && (e.IsConst() || shape[d].IsUnknown())) shape[d] = e;  // the operands agree: keep what is known best
    }
    total = total + t->shape()[static_cast<size_t>(axis)];
  }
  shape[static_cast<size_t>(axis)] = total;
  return Types{ValueType::Tensor(*dtype, std::move(shape))};
}

struct ConcatV2Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];
    const std::vector<int64_t> extents = Extents(out.type());
    if (out.num_elements() == 0) return {};
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("concat_dim"), static_cast<int64_t>(extents.size()), "ConcatV2"));
    const std::vector<int64_t> strides = RowStrides(extents);
    int64_t at = 0;
    for (const Tensor* t : ctx.inputs) {
      if (t->num_elements() == 0) continue;
      GE_ASSIGN_OR_RETURN(const Tensor converted, ConvertTensor(*t, out.dtype(), "ConcatV2"));
      const std::vector<int64_t> part = Extents(t->type());
      CopyToStrided(out.mutable_data<void>(), converted.data<void>(), SizeOf(out.dtype()), part, strides,
                    at * strides[static_cast<size_t>(axis)]);
      at += part[static_cast<size_t>(axis)];
    }
    return {};
  }
};

}  // namespace

// AscendIR puts concat_dim last among the inputs; here a list of operands ends the inputs, so it is an attribute
// (as in ConcatV2D), which the axis always is in PyTorch.
GE_DEFINE_OP(ConcatV2)
    .Doc("The operands joined along axis concat_dim, in their common dtype.")
    .VariadicInput("x")
    .Output("y")
    .Int("concat_dim", 0)
    .Traits(kFollowsLayout)
    .Infer(Infer)
    .Aten("aten::cat(x, @concat_dim)");
REGISTER_COMPUTE_NODE_KERNEL(ConcatV2, ConcatV2Kernel);

}  // namespace ge
