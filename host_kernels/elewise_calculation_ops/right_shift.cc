#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types z, InferBinary(ctx));
  if (!kInts.Has(z[0].dtype())) return Unimplemented(StrCat("shift of a ", Name(z[0].dtype())));
  return z;
}

}  // namespace

GE_DEFINE_OP(RightShift)
    .Doc("x / 2^y rounded down; a y that is negative or exceeds the width counts as the width")
    .OptionalInput("x", kInts)
    .OptionalInput("y", kInts)
    .Output("z", kInts)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::bitwise_right_shift.Tensor(x, y)")
    .Aten("aten::bitwise_right_shift.Tensor(x, @scalar)")
    .Aten("aten::bitwise_right_shift.Tensor_Scalar(x, @scalar)")
    .Aten("aten::bitwise_right_shift.Scalar_Tensor(@scalar, y)")
    .Aten("aten::__rshift__.Tensor(x, y)")
    .Aten("aten::__rshift__.Scalar(x, @scalar)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const int64_t bits = static_cast<int64_t>(8 * SizeOf(c.outputs[0].dtype()));
    const DType t = c.outputs[0].dtype();
    if (!kIntsBool.Has(t)) return NoKernel(c, t);
    Map(
        c.outputs[0], [bits](int64_t a, int64_t b) { return b < 0 || b >= bits ? (a < 0 ? int64_t{-1} : int64_t{0}) : a >> b; },
        LoadOrScalar<int64_t>(c, 0, t), LoadOrScalar<int64_t>(c, 1, t));
    return {};
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(RightShift, Kernel);

}  // namespace ge
