#include "host_kernels/complex_util.h"
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

// With a float number an integer tensor is promoted, yet PyTorch refuses bool in every place of a subtraction.
Result<Types> Infer(const InferContext& ctx) {
  if (ctx.attr("scalar").Is<bool>()) return Unimplemented("a bool cannot be subtracted");
  return InferBinary(ctx);
}

}  // namespace

// The rows with "x1, @scalar" have the number as x2; those of rsub leave x1 to it. A row names every operand that is present.
GE_DEFINE_OP(Sub)
    .Doc("x1 - x2; integers wrap. Without x1 the number is the minuend")
    .OptionalInput("x1", kNumbers)
    .OptionalInput("x2", kNumbers)
    .Output("y", kNumbers)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::sub.Tensor(x1, x2, 1)")
    .Aten("aten::sub.Tensor(x1, @scalar, 1)")
    .Aten("aten::sub.Scalar(x1, @scalar, 1)")
    .Aten("aten::rsub.Tensor(x2, x1, 1)")
    .Aten("aten::rsub.Scalar(x2, @scalar, 1)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const DType t = CommonDType(c);
    return DispatchAll(c, t, [&]<typename C>(Tag<C>) {
      Map(
          c.outputs[0],
          [](C a, C b) {
            if constexpr (elem::kIsComplex<C>)
              return AddScaled(a, -1, b);
            else
              return Sub(a, b);
          },
          LoadOrScalar<C>(c, 0, t), LoadOrScalar<C>(c, 1, t));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Sub, Kernel);

}  // namespace ge
