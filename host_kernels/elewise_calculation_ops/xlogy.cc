#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Xlogy)
    .Doc("x1 * ln(x2), 0 where x1 is 0 and x2 no NaN; integers and bool give f32")
    .Input("x1", kRealsBool)
    .Input("x2", kRealsBool)
    .Output("y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferBinaryFloat)
    .Aten("aten::xlogy.Tensor(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return BinaryFloat(c, [](auto a, auto b) {
      using C = decltype(a);
      return std::isnan(b) ? b : a == 0 ? C(0) : a * std::log(b);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Xlogy, Kernel);

}  // namespace ge
