// AscendWeightQuant: marks a quantised weight in graphs from files. Nothing here runs it.
#include "host_kernels/shape_util.h"

namespace ge {
namespace {

constexpr int64_t kDtInt8 = 2;  // AscendIR's number of int8

Result<Types> Infer(const InferContext& ctx) {
  if (ctx.Int("dst_type") != kDtInt8)
    return Unimplemented(StrCat("AscendWeightQuant: attribute dst_type is ", ctx.Int("dst_type"), "; known is 2 (DT_INT8)"));
  return Types{ValueType::Tensor(DType::kI8, ctx.input(0).shape())};
}

}  // namespace

// Never folded: the device's instructions take weight and offset apart.
GE_DEFINE_OP(AscendWeightQuant)
    .Doc("The quantised weight x with its offset, as the matrix operators of the device take it.")
    .Input("x", TypesOf(DType::kI8))
    .Input("offset", TypesOf(DType::kI8))
    .Output("y", TypesOf(DType::kI8))
    .Int("dst_type", 2)
    .Traits(kNoFold)
    .Infer(Infer);

}  // namespace ge
