// PixelUnshuffle: moves blocks of space into channels.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferPixelUnshuffle(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  const int64_t r = c.Int("downscale_factor");
  Shape y = c.input(0).shape();
  if (y.size() < 3 || r < 1 || r > (int64_t{1} << 31))
    return InvalidArgument(StrCat("PixelUnshuffle: x is ", ToString(c.input(0)), " and downscale_factor ", r));
  for (size_t d : {y.size() - 2, y.size() - 1}) {
    if (y[d].IsConst() && y[d].value() % r != 0)
      return InvalidArgument(StrCat("PixelUnshuffle: extent ", y[d].value(), " does not divide by ", r));
    y[d] = Dim::FloorDiv(y[d], Dim(r));
  }
  y[y.size() - 3] = y[y.size() - 3] * Dim(r * r);
  return Types{ValueType::Tensor(c.input(0).dtype(), std::move(y))};
}

}  // namespace

GE_DEFINE_OP(PixelUnshuffle)
    .Doc("(..., C, H * r, W * r) to (..., C * r^2, H, W) with r = downscale_factor.")
    .Input("x")
    .Output("y")
    .Required("downscale_factor", AttrKind::kInt)
    .Infer(InferPixelUnshuffle)
    .Aten("aten::pixel_unshuffle(x, @downscale_factor)");

}  // namespace ge
