#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

// aten::sign is aten::sgn for real tensors; PyTorch refuses it for complex ones while tracing.
GE_DEFINE_OP(Sign)
    .Doc("-1, 0 or 1; 0 for NaN; x / |x| for complex")
    .Input("x", kAll)
    .Output("y", kAll)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::sgn(x)")
    .Aten("aten::sign(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryReal(c, [](auto x) { return static_cast<decltype(x)>((x > 0) - (x < 0)); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Sign, Kernel);

}  // namespace ge
