#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferBinary(ctx));
  GE_RETURN_IF_ERROR(CheckScalars(ctx, y[0].dtype(), {"alpha"}));
  return y;
}

}  // namespace

GE_DEFINE_OP(Axpy)
    .Doc("x1 + alpha * x2")
    .Input("x1", kNumbers)
    .OptionalInput("x2", kNumbers)
    .Output("y", kNumbers)
    .Required("alpha", AttrKind::kScalar)
    .Optional("scalar", AttrKind::kScalar)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::add.Tensor(x1, x2, @alpha)")
    .Aten("aten::add.Tensor(x1, @scalar, @alpha)")
    .Aten("aten::add.Scalar(x1, @scalar, @alpha)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const DType t = c.outputs[0].dtype();
    return DispatchReal(c, t, [&]<typename C>(Tag<C>) {
      const C alpha = ScalarAs<C>(c.node.attr("alpha"), t, ScalarIs::kRounded);
      Map(
          c.outputs[0],
          [alpha](C a, C b) {
            if constexpr (std::is_integral_v<C>)
              return WrapAdd(a, WrapMul(alpha, b));
            else
              return std::fma(alpha, b, a);
          },
          LoadOrScalar<C>(c, 0, t), LoadOrScalar<C>(c, 1, t));
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Axpy, Kernel);

}  // namespace ge
