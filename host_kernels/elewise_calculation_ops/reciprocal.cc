#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Reciprocal)
    .Doc("1 / x; integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::reciprocal(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return decltype(x)(1) / x; });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Reciprocal, Kernel);

}  // namespace ge
