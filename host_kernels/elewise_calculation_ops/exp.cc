#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

// Only the bases that PyTorch has as operators; numerically each is a function of its own.
Result<Types> Infer(const InferContext& ctx) {
  const double base = ctx.Float("base");
  if (base != -1.0 && base != 2.0) return Unimplemented(StrCat("base ", base, " has no exact form; expected -1 (natural) or 2"));
  return InferFloat(ctx);
}

}  // namespace

GE_DEFINE_OP(Exp)
    .Doc("base^x, e^x for base = -1; integers and bool give f32")
    .Input("x", kAll)
    .Output("y", kFloatTypes | kComplexes)
    .Float("base", -1.0)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::exp(x)")
    .Aten("aten::exp2(x) if base=2.0");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const bool two = c.node.Float("base") == 2.0;
    return UnaryFloat(c, [two](auto x) { return two ? std::exp2(x) : std::exp(x); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Exp, Kernel);

}  // namespace ge
