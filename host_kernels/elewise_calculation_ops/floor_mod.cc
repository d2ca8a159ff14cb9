#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(FloorMod)
    .Doc("x1 - floor(x1 / x2) * x2, with the sign of x2; raises for integers modulo 0. Without x1 the number is the dividend")
    .OptionalInput("x1", kReals)
    .OptionalInput("x2", kReals)
    .Output("y", kReals)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferBinary)
    .Aten("aten::remainder.Tensor(x1, x2)")
    .Aten("aten::remainder.Tensor(x1, @scalar)")
    .Aten("aten::remainder.Scalar(x1, @scalar)")
    .Aten("aten::remainder.Scalar_Tensor(@scalar, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    GE_RETURN_IF_ERROR(CheckDivisor(c));
    return BinaryReal(c, [](auto a, auto b) {
      using C = decltype(a);
      if constexpr (std::is_integral_v<C>) {
        if (b == -1) return C(0);
        const C r = a % b;
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
      } else {
        const C r = std::fmod(a, b);
        return r != 0 && (r < 0) != (b < 0) ? r + b : r;
      }
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(FloorMod, Kernel);

}  // namespace ge
