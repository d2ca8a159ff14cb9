// Col2im: columns summed back into an image (torch.nn.functional.fold).
#include "host_kernels/nn_util.h"

namespace ge {
namespace {

Result<Types> InferCol2im(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c, 1));
  GE_RETURN_IF_ERROR(nn::RequireRank(c, 0, 3));
  GE_ASSIGN_OR_RETURN(const std::vector<Dim> size, OperandDims(c, 1));
  GE_ASSIGN_OR_RETURN(const std::vector<int64_t> kernel, nn::SpatialInts(c, "kernel_size", 2));
  if (size.size() != 2 || kernel[0] < 1 || kernel[1] < 1 || kernel[0] > (1 << 30) || kernel[1] > (1 << 30))
    return InvalidArgument("Col2im: expected two output extents and a positive kernel size");
  const Shape& x = c.input(0).shape();
  const int64_t block = kernel[0] * kernel[1];
  if (x[1].IsConst() && x[1].value() % block != 0)
    return InvalidArgument(
        StrCat("Col2im: x is ", ToString(c.input(0)), ", whose rows do not divide by the kernel's ", block, " elements"));
  return Types{ValueType::Tensor(c.input(0).dtype(), {x[0], Dim::FloorDiv(x[1], Dim(block)), size[0], size[1]})};
}

}  // namespace

GE_DEFINE_OP(Col2im)
    .Doc("Adds columns (N, C * kernel height * kernel width, blocks) into images of the extents output_size.")
    .Input("x", kFloatTypes)
    .Input("output_size", kI64Type)
    .Output("y", kFloatTypes)
    .Required("kernel_size", AttrKind::kInts)
    .Required("dilation", AttrKind::kInts)
    .Required("padding", AttrKind::kInts)
    .Required("stride", AttrKind::kInts)
    .Infer(InferCol2im)
    .Aten("aten::col2im(x, #output_size, @kernel_size, @dilation, @padding, @stride)");

}  // namespace ge
