// Im2col: the sliding blocks of an image as columns (torch.nn.functional.unfold).
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferIm2col(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 0, 4));
  Dim columns = 1, blocks = 1;
  GE_ASSIGN_OR_RETURN(const std::vector<int64_t> kernel, nn::SpatialInts(c, "ksizes", 2));
  GE_ASSIGN_OR_RETURN(const std::vector<int64_t> stride, nn::SpatialInts(c, "strides", 2));
  GE_ASSIGN_OR_RETURN(const std::vector<int64_t> dilation, nn::SpatialInts(c, "dilations", 2));
  GE_ASSIGN_OR_RETURN(const std::vector<int64_t> pad, nn::SpatialInts(c, "pads", 2));
  const Shape& x = c.input(0).shape();
  for (size_t d = 0; d < 2; ++d) {
    for (int64_t v : {kernel[d], stride[d], dilation[d], pad[d] + 1})
      if (v < 1 || v > (int64_t{1} << 31))
        return InvalidArgument("Im2col: kernel, stride and dilation must be positive and the padding not negative");
    if (x[1].Is(0) || x[d + 2].Is(0)) return Unimplemented("Im2col: an empty image");
    const Dim out = nn::WindowOutput(x[d + 2], Dim(kernel[d]), stride[d], pad[d], dilation[d]);
    GE_RETURN_IF_ERROR(nn::RequireOutputExtent(c, out, true));
    blocks = blocks * Dim(kernel[d]);
    columns = columns * out;
  }
  return Types{ValueType::Tensor(c.input(0).dtype(), {x[0], x[1] * blocks, columns})};
}

}  // namespace

GE_DEFINE_OP(Im2col)
    .Doc("The sliding blocks of x (N, C, H, W) as columns: (N, C * kernel height * kernel width, blocks).")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("ksizes", AttrKind::kInts)
    .Required("dilations", AttrKind::kInts)
    .Required("pads", AttrKind::kInts)
    .Required("strides", AttrKind::kInts)
    .Infer(InferIm2col)
    .Aten("aten::im2col(x, @ksizes, @dilations, @pads, @strides)");

}  // namespace ge
