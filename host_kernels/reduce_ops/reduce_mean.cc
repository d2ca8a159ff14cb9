#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const Attr a = ctx.attr("dtype");
  const DType* given = a.Get<DType>();
  const DType dtype = given ? *given : ctx.input(0).dtype();
  if (!IsFloating(dtype) && !IsComplex(dtype))
    return InvalidArgument(StrCat("ReduceMean: the mean of ", Name(dtype), " is not defined; give a floating or complex dtype"));
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, ReduceMask(ctx, 1));
  return Types{ValueType::Tensor(dtype, ReducedShape(ctx.input(0).shape(), mask, ctx.Bool("keep_dims")))};
}

struct ReduceMeanKernel {
  static Status Compute(const HostKernelContext& ctx) {
    Tensor& out = ctx.outputs[0];
    GE_ASSIGN_OR_RETURN(const Tensor x, ConvertTensor(*ctx.inputs[0], out.dtype(), "ReduceMean"));
    const ReduceLoops loops = LoopsOf(Extents(x.type()), ReduceMask(ctx, 1));
    return elem::VisitArithmetic(out.dtype(), "ReduceMean", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      using W = elem::Wide<T>;
      const T* in = x.data<T>();
      T* p = out.mutable_data<T>();
      W acc{};
      // No elements: 0 / 0, which is NaN as in PyTorch.
      loops.Run([&](int64_t) { acc = W(0); }, [&](int64_t o) { acc += elem::Widen(in[o]); },
                [&](int64_t i) {
                  if constexpr (elem::kIsComplex<T> || elem::kIsFloat<T>) p[i] = elem::Narrow<T>(acc / static_cast<double>(loops.count));
                });
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(ReduceMean)
    .Doc("The mean over the listed axes (all where absent or empty), of floating or complex numbers.")
    .Input("x", kArithmeticTypes)
    .OptionalInput("axes", kIndexTypes)
    .Output("y")
    .Bool("keep_dims", false)
    .Optional("dtype", AttrKind::kType)
    .Infer(Infer)
    .Aten("aten::mean.dim(x, #axes, @keep_dims, @dtype)")
    .Aten("aten::mean(x, @dtype)");
REGISTER_COMPUTE_NODE_KERNEL(ReduceMean, ReduceMeanKernel);

}  // namespace ge
