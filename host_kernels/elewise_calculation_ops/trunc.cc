#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Trunc)
    .Doc("Integer part, towards 0; integers stay as they are")
    .Input("input_x", kReals)
    .Output("output_y", kReals)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::trunc(input_x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryReal(c, [](auto x) {
      if constexpr (std::is_integral_v<decltype(x)>)
        return x;
      else
        return std::trunc(x);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Trunc, Kernel);

}  // namespace ge
