// Merge: where the branches of a Switch meet again, in graphs from files. Passes resolve it; nothing here runs it.
#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// y may be any of the operands: an extent on which they disagree is unknown.
Result<Types> Infer(const InferContext& ctx) {
  if (ctx.inputs.empty()) return InvalidArgument("Merge: expected at least one operand");
  if (!ctx.input(0).IsTensor()) return Unimplemented("Merge takes tensors");
  Shape shape = ctx.input(0).shape();
  for (const ValueType* x : ctx.inputs) {
    if (!x->IsTensor()) return Unimplemented("Merge takes tensors");
    if (x->dtype() != ctx.input(0).dtype())
      return InvalidArgument(StrCat("Merge: the operands differ in dtype: ", ToString(ctx.input(0)), " and ", ToString(*x)));
    if (x->shape().size() != shape.size())
      return Unimplemented(StrCat("Merge: the rank of the result is unknown: ", ToString(ctx.input(0)), " or ", ToString(*x)));
    for (size_t d = 0; d < shape.size(); ++d)
      if (!(shape[d] == x->shape()[d])) shape[d] = Dim::Unknown();
  }
  return Types{ValueType::Tensor(ctx.input(0).dtype(), std::move(shape)), ValueType::Tensor(DType::kI32, {})};
}

}  // namespace

GE_DEFINE_OP(Merge)
    .Doc("The one operand that has been computed, and its position among the operands.")
    .VariadicInput("x")
    .Output("y")
    .Output("value_index")
    .Traits(kControlFlow | kNoFold)
    .Infer(Infer);

}  // namespace ge
