#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(TruncateDiv)
    .Doc("x1 / x2 rounded towards 0; raises for integers divided by 0")
    .Input("x1", kReals)
    .OptionalInput("x2", kReals)
    .Output("y", kReals)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferBinary)
    .Aten("aten::div.Tensor_mode(x1, x2, \"trunc\")")
    .Aten("aten::div.Tensor_mode(x1, @scalar, \"trunc\")")
    .Aten("aten::div.Scalar_mode(x1, @scalar, \"trunc\")");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    GE_RETURN_IF_ERROR(CheckDivisor(c));
    return BinaryReal(
        c,
        [](auto a, auto b) {
          if constexpr (std::is_integral_v<decltype(a)>)
            return b == -1 ? Sub<int64_t>(0, a) : a / b;
          else
            return std::trunc(a / b);
        },
        ScalarIs::kExact);
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(TruncateDiv, Kernel);

}  // namespace ge
