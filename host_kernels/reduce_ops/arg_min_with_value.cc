#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.Int("dimension"), x.rank(), "ArgMinWithValue"));
  const std::vector<bool> mask = MaskOfAxes({&axis, 1}, x.rank());
  GE_RETURN_IF_ERROR(RequireElements(ctx, mask));
  const Shape shape = ReducedShape(x.shape(), mask, ctx.Bool("keep_dims"));
  return Types{ValueType::Tensor(DType::kI64, shape), ValueType::Tensor(x.dtype(), shape)};
}

struct ArgMinWithValueKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    const int64_t axis = ctx.node.Int("dimension");
    const ReduceLoops loops = LoopsOf(Extents(x.type()), MaskOfAxes({&axis, 1}, x.type().rank()));
    return elem::VisitReal(x.dtype(), "ArgMinWithValue", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      const T* in = x.data<T>();
      int64_t* positions = ctx.outputs[0].mutable_data<int64_t>();
      T* values = ctx.outputs[1].mutable_data<T>();
      int64_t best = 0, best_at = 0, at = 0;
      loops.Run([&](int64_t) { at = 0; },
                [&](int64_t o) {
                  const auto acc = elem::Widen(in[best]), v = elem::Widen(in[o]);
                  if (at == 0 || (!elem::IsNan(acc) && (elem::IsNan(v) || v < acc))) best = o, best_at = at;
                  ++at;
                },
                [&](int64_t i) { positions[i] = best_at, values[i] = in[best]; });
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(ArgMinWithValue)
    .Doc("Position and value of the least element along one axis; the first of equals, NaN wins.")
    .Input("x", kRealTypes | kBoolType)
    .Output("indice", kI64Type)
    .Output("values")
    .Required("dimension", AttrKind::kInt)
    .Bool("keep_dims", false)
    .Infer(Infer)
    .Aten("aten::min.dim(x, @dimension, @keep_dims) -> values, indice");
REGISTER_COMPUTE_NODE_KERNEL(ArgMinWithValue, ArgMinWithValueKernel);

}  // namespace ge
