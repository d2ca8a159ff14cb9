#include "host_kernels/relabel.h"
#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  GE_ASSIGN_OR_RETURN(const int64_t first, NormalizeAxis(ctx.Int("axis"), x.rank(), "FlattenV2"));
  GE_ASSIGN_OR_RETURN(const int64_t last, NormalizeAxis(ctx.Int("end_axis"), x.rank(), "FlattenV2"));
  if (first > last) return InvalidArgument(StrCat("FlattenV2: axis ", first, " comes after end_axis ", last));
  Shape shape;
  Dim merged = 1;
  for (int64_t i = 0; i < std::max<int64_t>(x.rank(), 1); ++i) {
    const Dim d = x.rank() == 0 ? Dim(1) : x.shape()[static_cast<size_t>(i)];
    if (i < first || i > last)
      shape.push_back(d);
    else
      merged = merged * d;
    if (i == last) shape.push_back(merged);
  }
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

struct FlattenV2Kernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
  static Status Adjust(Graph& graph, Node& node) { return AdjustRelabelling(graph, node); }
};

}  // namespace

GE_DEFINE_OP(FlattenV2)
    .Doc("x with the axes from axis to end_axis merged into one; a scalar becomes one element.")
    .Input("x")
    .Output("y")
    .Int("axis", 1)
    .Int("end_axis", -1)
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::flatten.using_ints(x, @axis, @end_axis)");
REGISTER_COMPUTE_NODE_KERNEL(FlattenV2, FlattenV2Kernel);

}  // namespace ge
