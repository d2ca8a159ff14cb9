#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Mod)
    .Doc("C's fmod and %, with the sign of x1; raises for integers modulo 0")
    .Input("x1", kReals)
    .OptionalInput("x2", kReals)
    .Output("y", kReals)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferBinary)
    .Aten("aten::fmod.Tensor(x1, x2)")
    .Aten("aten::fmod.Tensor(x1, @scalar)")
    .Aten("aten::fmod.Scalar(x1, @scalar)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    GE_RETURN_IF_ERROR(CheckDivisor(c));
    return BinaryReal(c, [](auto a, auto b) {
      if constexpr (std::is_integral_v<decltype(a)>)
        return b == -1 ? int64_t{0} : a % b;
      else
        return std::fmod(a, b);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Mod, Kernel);

}  // namespace ge
