#include "host_kernels/complex_util.h"
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Rsqrt)
    .Doc("1 / sqrt(x); integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::rsqrt(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    if (kComplexes.Has(c.outputs[0].dtype())) {
      using C = std::complex<double>;
      Map(c.outputs[0], [](C x) { return Reciprocal(std::sqrt(x)); }, Load<C>(*In(c, 0), c.outputs[0].type()));
      return {};
    }
    return UnaryFloat(c, [](auto x) { return decltype(x)(1) / std::sqrt(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Rsqrt, Kernel);

}  // namespace ge
