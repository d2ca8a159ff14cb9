#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

int64_t Divide(int64_t a, int64_t b) {
  if (b == -1) return Sub<int64_t>(0, a);  // the smallest integer wraps
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// The quotient of the exact remainder, as Python and PyTorch round it: floor(a / b) is off where a / b rounds up to an integer.
template <typename C>
  requires std::is_floating_point_v<C>
C Divide(C a, C b) {
  if (b == 0) return a / b;
  const C remainder = std::fmod(a, b);
  C quotient = (a - remainder) / b;
  if (remainder != 0 && (b < 0) != (remainder < 0)) quotient -= 1;
  if (quotient == 0) return std::copysign(C(0), a / b);
  const C floor = std::floor(quotient);
  return quotient - floor > C(0.5) ? floor + 1 : floor;
}

}  // namespace

GE_DEFINE_OP(FloorDiv)
    .Doc("x1 / x2 rounded down; raises for integers divided by 0")
    .Input("x1", kReals)
    .OptionalInput("x2", kReals)
    .Output("y", kReals)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferBinary)
    .Aten("aten::floor_divide(x1, x2)")
    .Aten("aten::floor_divide(x1, @scalar)")
    .Aten("aten::floor_divide.Scalar(x1, @scalar)")
    .Aten("aten::div.Tensor_mode(x1, x2, \"floor\")")
    .Aten("aten::div.Tensor_mode(x1, @scalar, \"floor\")")
    .Aten("aten::div.Scalar_mode(x1, @scalar, \"floor\")");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    GE_RETURN_IF_ERROR(CheckDivisor(c));
    return BinaryReal(c, [](auto a, auto b) { return Divide(a, b); }, ScalarIs::kExact);
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(FloorDiv, Kernel);

}  // namespace ge
