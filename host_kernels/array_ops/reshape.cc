#include "host_kernels/relabel.h"
#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  if (ctx.Int("axis") != 0 || ctx.Int("num_axes") != -1) return Unimplemented("Reshape: of a part of the axes (attributes axis, num_axes)");
  GE_ASSIGN_OR_RETURN(Shape shape, OperandDims(ctx, 1));
  if (!ctx.ConstInts(1)) return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
  // One extent may be -1: what is left of the element count.
  int wild = -1;
  Dim known = 1;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (shape[i].Is(-1)) {
      if (wild >= 0) return InvalidArgument("Reshape: only one extent of 'shape' may be -1");
      wild = static_cast<int>(i);
    } else if (shape[i].IsConst() && shape[i].value() < 0) {
      return InvalidArgument(StrCat("Reshape: extent ", shape[i].value(), " of 'shape' is negative; expected -1 or more"));
    } else {
      known = known * shape[i];
    }
  }
  const Dim count = x.NumElements();
  if (wild >= 0) {
    if (known.Is(0)) return InvalidArgument("Reshape: -1 is ambiguous where the other extents multiply to 0");
    if (count.IsConst() && count.value() % known.value() != 0)
      return InvalidArgument(StrCat("Reshape: ", count.value(), " elements do not divide into extents of ", known.value()));
    shape[static_cast<size_t>(wild)] = Dim::FloorDiv(count, known);
  } else if (CertainlyDifferent(count, known)) {
    return InvalidArgument(
        StrCat("Reshape: ", count.value(), " elements do not fit a shape of ", known.value(), "; operand 0 is ", ToString(x)));
  }
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

struct ReshapeKernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
  static Status Adjust(Graph& graph, Node& node) { return AdjustRelabelling(graph, node); }
};

}  // namespace

// aten::reshape executes: it returns a view exactly where view would, and a copy where view would raise for strides
// that eager never saw (an engine may have laid the operand out in another way).
GE_DEFINE_OP(Reshape)
    .Doc("The elements of x in row-major order under another shape; one extent may be -1.")
    .Input("x")
    .Input("shape", kIndexTypes)
    .Output("y")
    .Int("axis", 0)
    .Int("num_axes", -1)
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::reshape(x, #shape)")
    .Aten("aten::view(x, #shape)")
    .Aten("aten::_unsafe_view(x, #shape)");
REGISTER_COMPUTE_NODE_KERNEL(Reshape, ReshapeKernel);

}  // namespace ge
