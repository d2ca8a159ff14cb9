#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferSame(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"lambd"}));
  if (!(ctx.Float("lambd") >= 0)) return InvalidArgument(StrCat("lambd is ", ctx.Float("lambd"), ", expected a number of at least 0"));
  return y;
}

}  // namespace

// NaN stays.
GE_DEFINE_OP(SoftShrink)
    .Doc("x moved towards 0 by lambd, 0 in between")
    .Input("input_x", kFloatTypes)
    .Output("output_y", kFloatTypes)
    .Required("lambd", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::softshrink(input_x, @lambd)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const C lambd = Param<C>(c, "lambd");
      Map(
          c.outputs[0], [&](C x) { return x > lambd       ? x - lambd
                                          : x < -lambd    ? x + lambd
                                          : std::isnan(x) ? x
                                                          : C(0); },
          Load<C>(*In(c, 0), y));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(SoftShrink, Kernel);

}  // namespace ge
