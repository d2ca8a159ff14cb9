#include <optional>
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  const Attr min = ctx.attr("min"), max = ctx.attr("max");
  const bool numbers = !min.IsNone() || !max.IsNone(), tensors = ctx.has_input(1) || ctx.has_input(2);
  if (numbers == tensors) return InvalidArgument("expected at least one bound, all operands or all attributes");
  if (tensors) return InferBroadcast(ctx);
  GE_ASSIGN_OR_RETURN(Types y, InferSame(ctx));
  DType t = y[0].dtype();
  if (t == DType::kBool) return Unimplemented("bounds of a bool tensor");
  for (const Attr& bound : {min, max}) {
    if (bound.IsNone()) continue;
    if (Category(bound) == 3) return Unimplemented("clamp is not defined for complex numbers");
    t = PromoteScalar(t, bound);
  }
  GE_RETURN_IF_ERROR(CheckScalars(ctx, t, {"min", "max"}));
  return Types{ValueType::Tensor(t, y[0].shape())};
}

}  // namespace

GE_DEFINE_OP(ClipByValueV2)
    .Doc("min(max(x, lower), upper); the bounds are operands or the numbers `min`, `max`, either may be absent. NaN wins")
    .Input("x", kRealsBool)
    .OptionalInput("clip_value_min", kRealsBool)
    .OptionalInput("clip_value_max", kRealsBool)
    .Output("y", kRealsBool)
    .Optional("min", AttrKind::kScalar)
    .Optional("max", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::clamp(x, @min, @max)")
    .Aten("aten::clamp_min(x, @min)")
    .Aten("aten::clamp_max(x, @max)")
    .Aten("aten::clamp.Tensor(x, clip_value_min, clip_value_max)")
    .Aten("aten::clamp_min.Tensor(x, clip_value_min)")
    .Aten("aten::clamp_max.Tensor(x, clip_value_max)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchReal(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const auto bound = [&](int i, std::string_view name) -> std::optional<Operand<C>> {
        if (const Tensor* t = In(c, i)) return Load<C>(*t, y);
        const Attr number = c.node.attr(name);
        if (number.IsNone()) return std::nullopt;
        return Operand<C>::One(ScalarAs<C>(number, y.dtype(), ScalarIs::kRounded));
      };
      const auto x = Load<C>(*In(c, 0), y);
      const auto low = bound(1, "min"), high = bound(2, "max");
      // Of 0 and -0 PyTorch's vector loops keep x next to a number, and take a tensor's element.
      const bool tensors = In(c, 1) || In(c, 2);
      const auto raise = [tensors](C v, C a) { return tensors ? Max(a, v) : Max(v, a); };
      const auto lower = [tensors](C v, C b) { return tensors ? Min(b, v) : Min(v, b); };
      if (low && high)
        Map(c.outputs[0], [&](C v, C a, C b) { return lower(raise(v, a), b); }, x, *low, *high);
      else if (low)
        Map(c.outputs[0], raise, x, *low);
      else
        Map(c.outputs[0], lower, x, *high);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(ClipByValueV2, Kernel);

}  // namespace ge
