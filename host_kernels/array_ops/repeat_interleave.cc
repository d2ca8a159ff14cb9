#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  const Attr axis = ctx.attr("axis"), size = ctx.attr("output_size");
  Shape shape = axis.IsNone() ? Shape{x.NumElements()} : x.shape();
  GE_ASSIGN_OR_RETURN(const int64_t a,
                      NormalizeAxis(axis.IsNone() ? 0 : ctx.Int("axis"), static_cast<int64_t>(shape.size()), "RepeatInterleave"));
  if (shape.empty()) return Unimplemented("RepeatInterleave: a scalar along an axis");
  Dim total = Dim::Unknown();  // depends on the values
  if (const int64_t* n = size.Get<int64_t>()) total = *n;
  shape[static_cast<size_t>(a)] = total;
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

}  // namespace

GE_DEFINE_OP(RepeatInterleave)
    .Doc("Every position of an axis (of the flattened x without one) repeated.")
    .Input("x")
    .Input("repeats", kIndexTypes)
    .Output("y")
    .Optional("axis", AttrKind::kInt)
    .Optional("output_size", AttrKind::kInt)
    .Infer(Infer)
    .Aten("aten::repeat_interleave.self_Tensor(x, repeats, @axis, @output_size)");

}  // namespace ge
