#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType &dst = ctx.input(0), &src = ctx.input(1);
  for (size_t k = 0; k < src.shape().size(); ++k) {  // from the last axis; src may not be the larger one
    const Dim& s = src.shape()[src.shape().size() - 1 - k];
    const Dim d = k < dst.shape().size() ? dst.shape()[dst.shape().size() - 1 - k] : Dim(1);
    if (!s.Is(1) && CertainlyDifferent(s, d))
      return InvalidArgument(StrCat("CopyTo: ", ToString(src), " does not broadcast to ", ToString(dst)));
  }
  return Types{ValueType::Tensor(dst.dtype(), dst.shape())};
}

}  // namespace

GE_DEFINE_OP(CopyTo)
    .Doc("src in the dtype, shape (broadcast) and strides of dst: what dst holds after dst.copy_(src).")
    .Input("dst")
    .Input("src")
    .Output("y")
    .Bool("non_blocking", false)
    .Infer(Infer)
    .Aten("aten::copy(dst, src, @non_blocking)");

}  // namespace ge
