#include "host_kernels/element_util.h"
#include "host_kernels/index_ops/index_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType &x = ctx.input(0), &index = ctx.input(1), &src = ctx.input(2);
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.Int("axis"), x.rank(), "InplaceIndexAdd"));
  if (x.dtype() != src.dtype())
    return InvalidArgument(StrCat("InplaceIndexAdd: updates of ", Name(src.dtype()), ", expected ", Name(x.dtype())));
  if (x.rank() != src.rank() || index.rank() != 1) return Unimplemented("InplaceIndexAdd: scalars among the operands");
  for (int64_t d = 0; d < x.rank(); ++d) {
    const size_t k = static_cast<size_t>(d);
    const Dim& expected = d == axis ? index.shape()[0] : x.shape()[k];
    if (CertainlyDifferent(src.shape()[k], expected))
      return InvalidArgument(StrCat("InplaceIndexAdd: updates ", ToString(src), ": extent at axis ", d, " must be ", expected.ToString()));
  }
  return Types{ValueType::Tensor(x.dtype(), x.shape())};
}

struct InplaceIndexAddKernel {
  static Status Compute(const HostKernelContext& ctx) {
    GE_RETURN_IF_ERROR(CopyBytes(ctx));
    Tensor& out = ctx.outputs[0];
    const std::vector<int64_t> index = IntsOf(*ctx.inputs[1]);
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("axis"), out.type().rank(), "InplaceIndexAdd"));
    const AxisSplit s = SplitAtAxis(Extents(out.type()), axis);
    const Attr alpha = ctx.node.attr("alpha");
    return elem::VisitArithmetic(out.dtype(), "InplaceIndexAdd", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      T scale;
      GE_RETURN_IF_ERROR(StoreScalar(alpha.IsNone() ? Attr(1) : alpha, out.dtype(), &scale, "InplaceIndexAdd"));
      const T* from = ctx.inputs[2]->template data<T>();
      T* to = out.mutable_data<T>();
      const int64_t n = static_cast<int64_t>(index.size());
      for (int64_t o = 0; o < s.outer; ++o)
        for (int64_t k = 0; k < n; ++k) {
          const int64_t at = index[static_cast<size_t>(k)];
          if (at < 0 || at >= s.extent)
            return InvalidArgument(StrCat("InplaceIndexAdd: index ", at, " is out of bounds for an axis of extent ", s.extent));
          for (int64_t i = 0; i < s.inner; ++i) {
            T& y = to[(o * s.extent + at) * s.inner + i];
            y = elem::Narrow<T>(
                elem::WrapAdd(elem::Widen(y), elem::WrapMul(elem::Widen(from[(o * n + k) * s.inner + i]), elem::Widen(scale))));
          }
        }
      return {};
    });
  }
};

}  // namespace

// The name is AscendIR's; in this IR the result is a tensor of its own and the operand stays.
GE_DEFINE_OP(InplaceIndexAdd)
    .Doc("var with alpha * updates added at the listed positions of an axis; a position may occur several times.")
    .Input("var", kArithmeticTypes)
    .Input("indices", kIndexTypes)
    .Input("updates", kArithmeticTypes)
    .Output("y")
    .Required("axis", AttrKind::kInt)
    .Optional("alpha", AttrKind::kScalar)
    .Infer(Infer)
    .Aten("aten::index_add(var, @axis, indices, updates, @alpha)")
    .Aten("aten::index_add(var, @axis, indices, updates)");
REGISTER_COMPUTE_NODE_KERNEL(InplaceIndexAdd, InplaceIndexAddKernel);

}  // namespace ge
