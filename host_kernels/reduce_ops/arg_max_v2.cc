#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, ReduceMask(ctx, 1));
  GE_RETURN_IF_ERROR(RequireElements(ctx, mask));
  return Types{ValueType::Tensor(DType::kI64, ReducedShape(ctx.input(0).shape(), mask, ctx.Bool("keep_dims")))};
}

struct ArgMaxV2Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    const ReduceLoops loops = LoopsOf(Extents(x.type()), ReduceMask(ctx, 1));
    return elem::VisitReal(x.dtype(), "ArgMaxV2", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      const T* in = x.data<T>();
      int64_t* p = ctx.outputs[0].mutable_data<int64_t>();
      int64_t best = 0, best_at = 0, at = 0;
      loops.Run([&](int64_t) { at = 0; },
                [&](int64_t o) {
                  const auto acc = elem::Widen(in[best]), v = elem::Widen(in[o]);
                  if (at == 0 || (!elem::IsNan(acc) && (LessNanLast(acc, v)))) best = o, best_at = at;
                  ++at;
                },
                [&](int64_t i) { p[i] = best_at; });
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(ArgMaxV2)
    .Doc(
        "The position of the greatest element along an axis, or in the flattened tensor where 'dimension' is absent; the first of equals, "
        "NaN wins.")
    .Input("x", kRealTypes | kBoolType)
    .OptionalInput("dimension", kIndexTypes)
    .Output("y", kI64Type)
    .Bool("keep_dims", false)
    .Infer(Infer)
    .Aten("aten::argmax(x, #dimension.0, @keep_dims)");
REGISTER_COMPUTE_NODE_KERNEL(ArgMaxV2, ArgMaxV2Kernel);

}  // namespace ge
