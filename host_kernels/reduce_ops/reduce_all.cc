#include "host_kernels/reduce_ops/reduce_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  if (OperandLength(ctx, 1) == 0) return Unimplemented("ReduceAll: an empty list of axes, which PyTorch does not read as all axes here");
  GE_ASSIGN_OR_RETURN(const std::vector<bool> mask, ReduceMask(ctx, 1));
  const DType dtype = ctx.input(0).dtype() == DType::kU8 ? DType::kU8 : DType::kBool;  // u8 was PyTorch's bool once
  return Types{ValueType::Tensor(dtype, ReducedShape(ctx.input(0).shape(), mask, ctx.Bool("keep_dims")))};
}

struct ReduceAllKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    const ReduceLoops loops = LoopsOf(Extents(x.type()), ReduceMask(ctx, 1));
    return elem::VisitArithmetic(x.dtype(), "ReduceAll", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      const T* in = x.data<T>();
      uint8_t* p = ctx.outputs[0].mutable_data<uint8_t>();
      bool acc = false;
      loops.Run([&](int64_t) { acc = true; },
                [&](int64_t o) {
                  const bool v = elem::Widen(in[o]) != elem::Wide<T>(0);
                  acc = acc && v;
                },
                [&](int64_t i) { p[i] = acc; });
      return {};
    });
  }
};

}  // namespace

GE_DEFINE_OP(ReduceAll)
    .Doc("Whether all elements are non-zero over the listed axes (all where absent); bool, but u8 for u8.")
    .Input("x", kArithmeticTypes)
    .OptionalInput("axes", kIndexTypes)
    .Output("y", kBoolType | TypesOf(DType::kU8))
    .Bool("keep_dims", false)
    .Infer(Infer)
    .Aten("aten::all.dim(x, #axes.0, @keep_dims)")
    .Aten("aten::all.dims(x, #axes, @keep_dims)")
    .Aten("aten::all(x)");
REGISTER_COMPUTE_NODE_KERNEL(ReduceAll, ReduceAllKernel);

}  // namespace ge
