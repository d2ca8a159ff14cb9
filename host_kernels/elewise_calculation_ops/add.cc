#include "host_kernels/complex_util.h"
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Add)
    .Doc("x1 + x2 (or for bool); integers wrap")
    .Input("x1", kAll)
    .Input("x2", kAll)
    .Output("y", kAll)
    .Traits(kElementwise | kCommutative)
    .Infer(InferBinary)
    .Aten("aten::add.Tensor(x1, x2, 1)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const DType t = CommonDType(c);
    return DispatchAll(c, t, [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0],
          [](C a, C b) {
            if constexpr (elem::kIsComplex<C>)
              return AddScaled(a, 1, b);
            else
              return WrapAdd(a, b);
          },
          LoadOrScalar<C>(c, 0, t), LoadOrScalar<C>(c, 1, t));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Add, Kernel);

}  // namespace ge
