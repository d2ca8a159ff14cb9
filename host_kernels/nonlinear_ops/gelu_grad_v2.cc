#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  const std::string kind = ctx.Str("approximate");
  if (kind != "none" && kind != "tanh") return InvalidArgument(StrCat("approximate is '", kind, "', expected 'none' or 'tanh'"));
  return InferBroadcast(ctx);
}

}  // namespace

GE_DEFINE_OP(GeluGradV2)
    .Doc("Gradient of GeluV2")
    .Input("dy", kFloatTypes)
    .Input("x", kFloatTypes)
    .Output("z", kFloatTypes)
    .String("approximate", "none")
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::gelu_backward(dy, x, @approximate)");

}  // namespace ge
