#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// The format of the result is what the graph says: inference leaves x's.
Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(ValueType y, RelabelledType(ctx));
  return Types{std::move(y)};
}

struct ReFormatKernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
};

}  // namespace

// Only graphs from files contain it. The row is for execution: the importer takes Identity, which stands before it in ops.def.
GE_DEFINE_OP(ReFormat)
    .Doc("x with another format (the meaning of its axes) written on it. No element moves; TransData moves them.")
    .Input("x")
    .Output("y")
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::alias(x)");
REGISTER_COMPUTE_NODE_KERNEL(ReFormat, ReFormatKernel);

}  // namespace ge
