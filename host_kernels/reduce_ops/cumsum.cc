#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const auto axis = ctx.ConstInts(1);
  if (axis && axis->size() == 1) GE_RETURN_IF_ERROR(NormalizeAxis((*axis)[0], ctx.input(0).rank(), "Cumsum").status());
  return Types{ValueType::Tensor(SumDType(ctx), ctx.input(0).shape())};
}

struct CumsumKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];
    GE_ASSIGN_OR_RETURN(const Tensor x, ConvertTensor(*ctx.inputs[0], out.dtype(), "Cumsum"));
    GE_ASSIGN_OR_RETURN(const int64_t given, IntOf(*ctx.inputs[1], "Cumsum"));
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(given, x.type().rank(), "Cumsum"));
    const AxisSplit s = SplitAtAxis(Extents(x.type()), axis);
    const bool exclusive = ctx.node.Bool("exclusive"), reverse = ctx.node.Bool("reverse");
    return elem::VisitArithmetic(out.dtype(), "Cumsum", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      using W = elem::Wide<T>;
      const T* in = x.data<T>();
      T* p = out.mutable_data<T>();
      for (int64_t o = 0; o < s.outer; ++o)
        for (int64_t i = 0; i < s.inner; ++i) {
          W acc = W(0);
          for (int64_t k = 0; k < s.extent; ++k) {
            const int64_t at = (o * s.extent + (reverse ? s.extent - 1 - k : k)) * s.inner + i;
            const W next = elem::WrapAdd<W>(acc, elem::Widen(in[at]));
            p[at] = elem::Narrow<T>(exclusive ? acc : next);
            acc = next;
          }
        }
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(Cumsum)
    .Doc(
        "Running sums along an axis; exclusive leaves the element itself out, reverse starts at the end. Integers run in i64 unless dtype "
        "says otherwise.")
    .Input("x", kArithmeticTypes)
    .Input("axis", kIndexTypes)
    .Output("y")
    .Bool("exclusive", false)
    .Bool("reverse", false)
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .Aten("aten::cumsum(x, #axis.0, @dtype)");
REGISTER_COMPUTE_NODE_KERNEL(Cumsum, CumsumKernel);

}  // namespace ge
