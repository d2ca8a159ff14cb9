#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBinary(ctx));
  if (!kIntsBool.Has(y[0].dtype())) return Unimplemented(StrCat("bits of a ", Name(y[0].dtype())));
  return y;
}

}  // namespace

GE_DEFINE_OP(BitwiseXor)
    .Doc("x1 ^ x2, bit by bit; logical for bool")
    .Input("x1", kIntsBool)
    .OptionalInput("x2", kIntsBool)
    .Output("y", kIntsBool)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise | kCommutative)
    .Infer(Infer)
    .Aten("aten::bitwise_xor.Tensor(x1, x2)")
    .Aten("aten::bitwise_xor.Tensor(x1, @scalar)")
    .Aten("aten::bitwise_xor.Scalar(x1, @scalar)")
    .Aten("aten::bitwise_xor.Scalar_Tensor(@scalar, x1)")
    .Aten("aten::__xor__.Tensor(x1, x2)")
    .Aten("aten::__xor__.Scalar(x1, @scalar)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const DType t = c.outputs[0].dtype();
    if (!kIntsBool.Has(t)) return NoKernel(c, t);
    Map(c.outputs[0], [](int64_t a, int64_t b) { return a ^ b; }, LoadOrScalar<int64_t>(c, 0, t), LoadOrScalar<int64_t>(c, 1, t));
    return {};
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(BitwiseXor, Kernel);

}  // namespace ge
