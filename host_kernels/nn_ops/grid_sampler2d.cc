// GridSampler2D: samples an image at given places.
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferGridSampler2D(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 0, 4));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 1, 4));
  const Shape &x = c.input(0).shape(), &grid = c.input(1).shape();
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the batch of grid", grid[0], x[0]));
  GE_RETURN_IF_ERROR(nn::RequireDim(c, "the last extent of grid", grid[3], Dim(2)));
  if (x[2].Is(0) || x[3].Is(0))
    return InvalidArgument(StrCat("GridSampler2D: x is ", ToString(c.input(0)), ", expected filled spatial axes"));
  return Types{ValueType::Tensor(c.input(0).dtype(), {x[0], x[1], grid[1], grid[2]})};
}

}  // namespace

GE_DEFINE_OP(GridSampler2D)
    .Doc("Values of the images x (N, C, H, W) at the places that grid (N, H', W', 2) names, in coordinates from -1 to 1.")
    .Input("x", kFloatTypes)
    .Input("grid", kFloatTypes)
    .Output("y", kFloatTypes)
    .String("interpolation_mode", "bilinear")
    .String("padding_mode", "zeros")
    .Bool("align_corners", false)
    .Infer(InferGridSampler2D)
    .Aten("aten::grid_sampler_2d(x, grid, 0, 0, @align_corners) if interpolation_mode=\"bilinear\", padding_mode=\"zeros\"")
    .Aten("aten::grid_sampler_2d(x, grid, 0, 1, @align_corners) if interpolation_mode=\"bilinear\", padding_mode=\"border\"")
    .Aten("aten::grid_sampler_2d(x, grid, 0, 2, @align_corners) if interpolation_mode=\"bilinear\", padding_mode=\"reflection\"")
    .Aten("aten::grid_sampler_2d(x, grid, 1, 0, @align_corners) if interpolation_mode=\"nearest\", padding_mode=\"zeros\"")
    .Aten("aten::grid_sampler_2d(x, grid, 1, 1, @align_corners) if interpolation_mode=\"nearest\", padding_mode=\"border\"")
    .Aten("aten::grid_sampler_2d(x, grid, 1, 2, @align_corners) if interpolation_mode=\"nearest\", padding_mode=\"reflection\"")
    .Aten("aten::grid_sampler_2d(x, grid, 2, 0, @align_corners) if interpolation_mode=\"bicubic\", padding_mode=\"zeros\"")
    .Aten("aten::grid_sampler_2d(x, grid, 2, 1, @align_corners) if interpolation_mode=\"bicubic\", padding_mode=\"border\"")
    .Aten("aten::grid_sampler_2d(x, grid, 2, 2, @align_corners) if interpolation_mode=\"bicubic\", padding_mode=\"reflection\"");

}  // namespace ge
