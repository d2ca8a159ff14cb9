#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferSame(ctx));
  if (!IsComplex(y[0].dtype())) return y;
  return Types{ValueType::Tensor(y[0].dtype() == DType::kC128 ? DType::kF64 : DType::kF32, y[0].shape())};
}

}  // namespace

GE_DEFINE_OP(Abs)
    .Doc("Absolute value; the modulus for complex. The smallest integer stays as it is")
    .Input("x", kNumbers)
    .Output("y", kReals)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::abs(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    if (IsComplex(In(c, 0)->dtype())) return NoKernel(c, In(c, 0)->dtype());
    return UnaryReal(c, [](auto x) {
      if constexpr (std::is_integral_v<decltype(x)>)
        return x < 0 ? Sub<int64_t>(0, x) : x;
      else
        return std::abs(x);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Abs, Kernel);

}  // namespace ge
