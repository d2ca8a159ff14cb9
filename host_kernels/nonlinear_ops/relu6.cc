#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

GE_DEFINE_OP(Relu6)
    .Doc("min(max(x, 0), 6)")
    .Input("x", TypesOf(DType::kI8, DType::kI16, DType::kI32, DType::kI64) | kFloatTypes)
    .Output("y", TypesOf(DType::kI8, DType::kI16, DType::kI32, DType::kI64) | kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferSame)
    .Aten("aten::relu6(x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryReal(c, [](auto x) { return Min(Max(x, decltype(x)(0)), decltype(x)(6)); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Relu6, Kernel);

}  // namespace ge
