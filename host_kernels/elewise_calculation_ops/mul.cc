#include "host_kernels/complex_util.h"
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Mul)
    .Doc("x1 * x2 (and for bool); integers wrap")
    .Input("x1", kAll)
    .Input("x2", kAll)
    .Output("y", kAll)
    .Traits(kElementwise | kCommutative)
    .Infer(InferBinary)
    .Aten("aten::mul.Tensor(x1, x2)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    if (const DType t = c.outputs[0].dtype(); kComplexes.Has(t)) {
      using C = std::complex<double>;
      Map(c.outputs[0], t == DType::kC64 ? MulComplex<float> : MulComplex<double>, LoadOrScalar<C>(c, 0, t), LoadOrScalar<C>(c, 1, t));
      return {};
    }
    return BinaryReal(c, [](auto a, auto b) { return WrapMul(a, b); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Mul, Kernel);

}  // namespace ge
