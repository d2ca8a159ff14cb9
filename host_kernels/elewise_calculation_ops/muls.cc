#include "host_kernels/complex_util.h"
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Muls)
    .Doc("x * value, a Python number")
    .Input("x", kAll)
    .Output("y", kAll)
    .Required("value", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferScalar)
    .Aten("aten::mul.Tensor(x, @value)")
    .Aten("aten::mul.Scalar(x, @value)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const DType t = c.outputs[0].dtype();  // PyTorch keeps the number exact for f16 and bf16 here
    if (kComplexes.Has(t)) {
      using C = std::complex<double>;
      const C value = ScalarAs<C>(c.node.attr("value"), t, ScalarIs::kExact);
      Map(
          c.outputs[0], [value, t](C x) { return t == DType::kC64 ? MulComplex<float>(x, value) : MulComplex<double>(x, value); },
          Load<C>(*In(c, 0), c.outputs[0].type()));
      return {};
    }
    return DispatchReal(c, t, [&]<typename C>(Tag<C>) {
      const C value = ScalarAs<C>(c.node.attr("value"), t, ScalarIs::kExact);
      Map(c.outputs[0], [value](C x) { return WrapMul(x, value); }, Load<C>(*In(c, 0), c.outputs[0].type()));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Muls, Kernel);

}  // namespace ge
