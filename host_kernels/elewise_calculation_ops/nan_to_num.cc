#include <limits>
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

double Largest(DType t) {
  switch (t) {
    case DType::kF16: return 65504.0;
    case DType::kBF16: return 3.3895313892515355e38;
    case DType::kF32: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
  }
}

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferSame(ctx));
  if (IsFloating(y[0].dtype())) GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"nan", "posinf", "neginf"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(NanToNum)
    .Doc("Replaces NaN by `nan` (0), infinities by `posinf`, `neginf` (the dtype's largest and smallest number)")
    .Input("x", kRealsBool)
    .Output("y", kRealsBool)
    .Optional("nan", AttrKind::kScalar)
    .Optional("posinf", AttrKind::kScalar)
    .Optional("neginf", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::nan_to_num(x, @nan, @posinf, @neginf)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const auto number = [&](std::string_view name, double otherwise) { return c.node.attr(name).AsDouble().value_or(otherwise); };
    const DType t = c.outputs[0].dtype();
    return UnaryReal(c, [&](auto x) {
      using C = decltype(x);
      if constexpr (std::is_integral_v<C>)
        return x;
      else if (std::isnan(x))
        return static_cast<C>(number("nan", 0));
      else if (std::isinf(x))
        return static_cast<C>(x > 0 ? number("posinf", Largest(t)) : number("neginf", -Largest(t)));
      else
        return x;
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(NanToNum, Kernel);

}  // namespace ge
