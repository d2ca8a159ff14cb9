#include <algorithm>

#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Shape ShapeOf(const Tensor& t) {
  const std::vector<int64_t> ints = IntsOf(t);
  return Shape(ints.begin(), ints.end());
}

Result<Types> Infer(const InferContext& ctx) {
  const auto a = OperandLength(ctx, 0), b = OperandLength(ctx, 1);
  if (ctx.input(0).dtype() != ctx.input(1).dtype()) return InvalidArgument("BroadcastArgs: the two shapes differ in dtype");
  return Types{ValueType::Tensor(ctx.input(0).dtype(), {a && b ? Dim(std::max(*a, *b)) : Dim::Unknown()})};
}

struct BroadcastArgsKernel {
  static Status Compute(const HostKernelContext& ctx) {
    GE_ASSIGN_OR_RETURN(const Shape shape, BroadcastShapes(ShapeOf(*ctx.inputs[0]), ShapeOf(*ctx.inputs[1]), "BroadcastArgs"));
    std::vector<int64_t> out;
    for (const Dim& d : shape) out.push_back(d.value());
    StoreInts(ctx.outputs[0], out);
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(BroadcastArgs)
    .Doc("The shape that two shapes, given as vectors, broadcast to.")
    .Input("x1", kIndexTypes)
    .Input("x2", kIndexTypes)
    .Output("y", kIndexTypes)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(BroadcastArgs, BroadcastArgsKernel);

}  // namespace ge
