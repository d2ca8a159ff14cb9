#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, ReduceMask(ctx, 1));
  GE_RETURN_IF_ERROR(RequireElements(ctx, mask));
  return Types{ValueType::Tensor(ctx.input(0).dtype(), ReducedShape(ctx.input(0).shape(), mask, ctx.Bool("keep_dims")))};
}

struct ReduceMaxKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    const ReduceLoops loops = LoopsOf(Extents(x.type()), ReduceMask(ctx, 1));
    return elem::VisitReal(x.dtype(), "ReduceMax", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      const T* in = x.data<T>();
      T* p = ctx.outputs[0].mutable_data<T>();
      int64_t best = 0;
      bool first = true;
      loops.Run([&](int64_t) { first = true; },
                [&](int64_t o) {
                  const auto acc = elem::Widen(in[best]), v = elem::Widen(in[o]);
                  // A NaN, once met, stays.
                  if (first || (!elem::IsNan(acc) && (LessNanLast(acc, v)))) best = o;
                  first = false;
                },
                [&](int64_t i) { p[i] = in[best]; });
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(ReduceMax)
    .Doc("The greatest element over the listed axes (all where absent or empty); NaN wins.")
    .Input("x", kRealTypes | kBoolType)
    .OptionalInput("axes", kIndexTypes)
    .Output("y")
    .Bool("keep_dims", false)
    .Infer(Infer)
    .Aten("aten::amax(x, #axes, @keep_dims)")
    .Aten("aten::max(x)");
REGISTER_COMPUTE_NODE_KERNEL(ReduceMax, ReduceMaxKernel);

}  // namespace ge
