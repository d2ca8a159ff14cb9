#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

// Only the bases that PyTorch has as operators; numerically each is a function of its own.
Result<Types> Infer(const InferContext& ctx) {
  const double base = ctx.Float("base");
  if (base != -1.0 && base != 2.0 && base != 10.0)
    return Unimplemented(StrCat("base ", base, " has no exact form; expected -1 (natural), 2 or 10"));
  return InferFloat(ctx);
}

}  // namespace

GE_DEFINE_OP(Log)
    .Doc("Logarithm to a base, natural for base = -1; integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Float("base", -1.0)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::log(x)")
    .Aten("aten::log2(x) if base=2.0")
    .Aten("aten::log10(x) if base=10.0");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const double base = c.node.Float("base");
    return UnaryFloat(c, [base](auto x) { return base == 2.0 ? std::log2(x) : base == 10.0 ? std::log10(x) : std::log(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Log, Kernel);

}  // namespace ge
