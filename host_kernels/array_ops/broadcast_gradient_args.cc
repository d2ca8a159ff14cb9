#include <algorithm>
#include <array>

#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// The axes over which a gradient of the broadcast shape is summed to come back to each operand's shape: those where the
// operand (1s filled in on the left) has extent 1. As in TensorFlow, an axis of 1 in both belongs to both lists, and equal
// shapes need no sum at all.
Result<std::array<std::vector<int64_t>, 2>> ReduceAxes(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  GE_RETURN_IF_ERROR(BroadcastShapes(Shape(a.begin(), a.end()), Shape(b.begin(), b.end()), "BroadcastGradientArgs").status());
  std::array<std::vector<int64_t>, 2> out;
  if (a == b) return out;
  const size_t rank = std::max(a.size(), b.size());
  for (size_t d = 0; d < rank; ++d) {
    const auto is_one = [&](const std::vector<int64_t>& s) { return d + s.size() < rank || s[d + s.size() - rank] == 1; };
    if (is_one(a)) out[0].push_back(static_cast<int64_t>(d));
    if (is_one(b)) out[1].push_back(static_cast<int64_t>(d));
  }
  return out;
}

Result<Types> Infer(const InferContext& ctx) {
  const auto a = ctx.ConstInts(0), b = ctx.ConstInts(1);
  const DType dtype = ctx.input(0).dtype();
  if (dtype != ctx.input(1).dtype()) return InvalidArgument("BroadcastGradientArgs: the two shapes differ in dtype");
  if (!a || !b) return Types{ValueType::Tensor(dtype, {Dim::Unknown()}), ValueType::Tensor(dtype, {Dim::Unknown()})};
  GE_ASSIGN_OR_RETURN(const auto axes, ReduceAxes(*a, *b));
  return Types{ValueType::Tensor(dtype, {static_cast<int64_t>(axes[0].size())}),
               ValueType::Tensor(dtype, {static_cast<int64_t>(axes[1].size())})};
}

struct BroadcastGradientArgsKernel {
  static Status Compute(const HostKernelContext& ctx) {
    GE_ASSIGN_OR_RETURN(const auto axes, ReduceAxes(IntsOf(*ctx.inputs[0]), IntsOf(*ctx.inputs[1])));
    StoreInts(ctx.outputs[0], axes[0]);
    StoreInts(ctx.outputs[1], axes[1]);
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(BroadcastGradientArgs)
    .Doc("For two shapes that broadcast together: the axes to sum a gradient over to get back to each of them.")
    .Input("x1", kIndexTypes)
    .Input("x2", kIndexTypes)
    .Output("y1", kIndexTypes)
    .Output("y2", kIndexTypes)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(BroadcastGradientArgs, BroadcastGradientArgsKernel);

}  // namespace ge
