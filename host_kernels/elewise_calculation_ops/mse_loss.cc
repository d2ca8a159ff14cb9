#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBroadcast(ctx));
  const int64_t reduction = ctx.Int("reduction");
  if (reduction < 0 || reduction > 2)
    return InvalidArgument(StrCat("reduction is ", reduction, ", expected 0 (none), 1 (mean) or 2 (sum)"));
  if (reduction != 0) y[0] = ValueType::Tensor(y[0].dtype(), {});
  return y;
}

}  // namespace

// Not an element-wise op by trait: the default reduces to a scalar.
GE_DEFINE_OP(MseLoss)
    .Doc("(predict - label)^2, element-wise, averaged or summed by reduction = 0, 1 or 2")
    .Input("predict", kFloatTypes)
    .Input("label", kFloatTypes)
    .Output("y", kFloatTypes)
    .Int("reduction", 1)
    .Traits(kTraitNone)
    .Infer(Infer)
    .Aten("aten::mse_loss(predict, label, @reduction)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    const int64_t reduction = c.node.Int("reduction");
    GE_ASSIGN_OR_RETURN(const Shape shape, Broadcast(In(c, 0)->type().shape(), In(c, 1)->type().shape()));
    const ValueType each = ValueType::Tensor(y.dtype(), shape);
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const auto a = Load<C>(*In(c, 0), each), b = Load<C>(*In(c, 1), each);
      if (reduction == 0) return Map(c.outputs[0], [](C p, C l) { return (p - l) * (p - l); }, a, b);
      const size_t n = static_cast<size_t>(each.StaticNumElements());
      double sum = 0;
      for (size_t i = 0; i < n; ++i) sum += static_cast<double>(RoundTo(y.dtype(), (a[i] - b[i]) * (a[i] - b[i])));
      const C total = static_cast<C>(reduction == 1 ? sum / static_cast<double>(n) : sum);
      Store(&total, c.outputs[0]);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(MseLoss, Kernel);

}  // namespace ge
