#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.input(0).dtype() != ctx.input(1).dtype()) return Unimplemented("AsStridedScatter: source of another dtype");
  return Types{ValueType::Tensor(ctx.input(0).dtype(), ctx.input(0).shape())};
}

}  // namespace

GE_DEFINE_OP(AsStridedScatter)
    .Doc("x with the strided view of its storage replaced by src.")
    .Input("x")
    .Input("src")
    .Input("size", kIndexTypes)
    .Input("stride", kIndexTypes)
    .OptionalInput("storage_offset", kIndexTypes)
    .Output("y")
    .Infer(Infer)
    .Aten("aten::as_strided_scatter(x, src, #size, #stride, #storage_offset.0)");

}  // namespace ge
