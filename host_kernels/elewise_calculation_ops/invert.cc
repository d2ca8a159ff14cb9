#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Invert)
    .Doc("Bitwise complement; logical for bool")
    .Input("x", kIntsBool)
    .Output("y", kIntsBool)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::bitwise_not(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const bool logical = c.outputs[0].dtype() == DType::kBool;
    return DispatchReal(c, c.outputs[0].dtype(), [&]<typename C>(Tag<C>) {
      if constexpr (std::is_same_v<C, int64_t>)
        Map(c.outputs[0], [logical](int64_t x) { return logical ? int64_t{!x} : ~x; }, Load<int64_t>(*In(c, 0), c.outputs[0].type()));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Invert, Kernel);

}  // namespace ge
