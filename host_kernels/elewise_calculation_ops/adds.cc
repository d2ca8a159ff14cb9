#include "host_kernels/complex_util.h"
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Adds)
    .Doc("x + value, a Python number")
    .Input("x", kAll)
    .Output("y", kAll)
    .Required("value", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(InferScalar)
    .Aten("aten::add.Tensor(x, @value, 1)")
    .Aten("aten::add.Scalar(x, @value, 1)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const DType t = c.outputs[0].dtype();
    return DispatchAll(c, t, [&]<typename C>(Tag<C>) {
      const C value = ScalarAs<C>(c.node.attr("value"), t, ScalarIs::kRounded);
      Map(
          c.outputs[0],
          [value](C x) {
            if constexpr (elem::kIsComplex<C>)
              return AddScaled(x, 1, value);
            else
              return WrapAdd(x, value);
          },
          Load<C>(*In(c, 0), c.outputs[0].type()));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Adds, Kernel);

}  // namespace ge
