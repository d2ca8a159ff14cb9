// PixelShuffle: moves blocks of channels into space.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferPixelShuffle(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  const int64_t r = c.Int("upscale_factor");
  Shape y = c.input(0).shape();
  if (y.size() < 3 || r < 1 || r > (int64_t{1} << 31))
    return InvalidArgument(StrCat("PixelShuffle: x is ", ToString(c.input(0)), " and upscale_factor ", r));
  Dim& channels = y[y.size() - 3];
  if (channels.IsConst() && channels.value() % (r * r) != 0)
    return InvalidArgument(StrCat("PixelShuffle: ", channels.value(), " channels do not divide by ", r, " squared"));
  channels = Dim::FloorDiv(channels, Dim(r * r));
  for (size_t d : {y.size() - 2, y.size() - 1}) y[d] = y[d] * Dim(r);
  return Types{ValueType::Tensor(c.input(0).dtype(), std::move(y))};
}

}  // namespace

GE_DEFINE_OP(PixelShuffle)
    .Doc("(..., C * r^2, H, W) to (..., C, H * r, W * r) with r = upscale_factor.")
    .Input("x")
    .Output("y")
    .Required("upscale_factor", AttrKind::kInt)
    .Infer(InferPixelShuffle)
    .Aten("aten::pixel_shuffle(x, @upscale_factor)");

}  // namespace ge
