#include <algorithm>
#include <numeric>

#include "host_kernels/transformation_ops/permute_util.h"

namespace ge {
namespace {

// The permutation that the attributes stand for where the operand 'perm' is absent.
Result<std::vector<int64_t>> PermFromAttrs(int64_t rank, const Attr& dim0, const Attr& dim1) {
  std::vector<int64_t> perm(static_cast<size_t>(rank));
  std::iota(perm.begin(), perm.end(), 0);
  const int64_t *a = dim0.Get<int64_t>(), *b = dim1.Get<int64_t>();
  if (!a && !b) {
    if (rank > 2) return InvalidArgument(StrCat("Transpose: without 'perm' and dims a tensor of at most 2 axes is expected, found ", rank));
    std::reverse(perm.begin(), perm.end());
    return perm;
  }
  if (!a || !b) return InvalidArgument("Transpose: attributes dim0 and dim1 come together");
  GE_ASSIGN_OR_RETURN(const int64_t i, NormalizeAxis(*a, rank, "Transpose"));
  GE_ASSIGN_OR_RETURN(const int64_t j, NormalizeAxis(*b, rank, "Transpose"));
  if (rank > 0) std::swap(perm[static_cast<size_t>(i)], perm[static_cast<size_t>(j)]);
  return perm;
}

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  if (!ctx.has_input(1)) {
    GE_ASSIGN_OR_RETURN(const std::vector<int64_t> perm, PermFromAttrs(x.rank(), ctx.attr("dim0"), ctx.attr("dim1")));
    return InferPermuted(x, perm, ctx.op.name);
  }
  if (!ctx.attr("dim0").IsNone() || !ctx.attr("dim1").IsNone())
    return InvalidArgument("Transpose: either the operand 'perm' or the attributes dim0 and dim1");
  const auto perm = ctx.ConstInts(1);
  if (!perm) return Unimplemented("Transpose: 'perm' must be constant");
  return InferPermuted(x, *perm, ctx.op.name);
}

struct TransposeKernel {
  static Status Compute(const HostKernelContext& ctx) {
    if (ctx.inputs.size() > 1 && ctx.inputs[1]) return PermuteTensor(ctx, IntsOf(*ctx.inputs[1]));
    GE_ASSIGN_OR_RETURN(const std::vector<int64_t> perm,
                        PermFromAttrs(ctx.inputs[0]->type().rank(), ctx.node.attr("dim0"), ctx.node.attr("dim1")));
    return PermuteTensor(ctx, perm);
  }
};

}  // namespace

// The one canonical axis permutation. Passes build it with 'perm'; the two short forms exist because the mapping turns
// an ATen call into operands and attributes without computing: transpose.int names two axes, t none.
GE_DEFINE_OP(Transpose)
    .Doc("x with its axes permuted: by 'perm', or dim0 and dim1 swapped, or (neither given) a matrix transposed.")
    .Input("x")
    .OptionalInput("perm", kIndexTypes)
    .Output("y")
    .Optional("dim0", AttrKind::kInt)
    .Optional("dim1", AttrKind::kInt)
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::t(x)")
    .Aten("aten::transpose.int(x, @dim0, @dim1)")
    .Aten("aten::permute(x, #perm)");
REGISTER_COMPUTE_NODE_KERNEL(Transpose, TransposeKernel);

}  // namespace ge
