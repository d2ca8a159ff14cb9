#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

int64_t Axis(int64_t dim, int64_t rank) { return dim < 0 ? dim + rank : dim; }

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferSame(ctx));
  const int64_t rank = y[0].rank(), axis = Axis(ctx.Int("dim"), rank);
  if (axis < 0 || axis >= rank)
    return InvalidArgument(StrCat("dim is ", ctx.Int("dim"), ", expected a dimension of a tensor of rank ", rank));
  Shape shape = y[0].shape();
  Dim& extent = shape[static_cast<size_t>(axis)];
  if (extent.IsConst() && extent.value() % 2)
    return InvalidArgument(StrCat("extent ", extent.value(), " of dimension ", axis, " is odd and cannot be halved"));
  extent = Dim::FloorDiv(extent, 2);
  return Types{ValueType::Tensor(y[0].dtype(), std::move(shape))};
}

}  // namespace

GE_DEFINE_OP(GLU)
    .Doc("a * sigmoid(b), where a and b are the halves of x along dim")
    .Input("x", kFloatTypes)
    .Output("y", kFloatTypes)
    .Int("dim", -1)
    .Traits(kTraitNone)
    .Infer(Infer)
    .Aten("aten::glu(x, @dim)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const ValueType& y = c.outputs[0].type();
    const int64_t axis = Axis(c.node.Int("dim"), y.rank());
    int64_t inner = 1;
    for (int64_t d = axis + 1; d < y.rank(); ++d) inner *= y.shape()[static_cast<size_t>(d)].value();
    const size_t half = static_cast<size_t>(inner * y.shape()[static_cast<size_t>(axis)].value());
    return DispatchFloat(c, y.dtype(), [&]<typename C>(Tag<C>) {
      const auto x = Load<C>(*In(c, 0), In(c, 0)->type());
      const size_t n = static_cast<size_t>(y.StaticNumElements());
      std::vector<C> out(n);
      for (size_t i = 0; i < n; ++i) {
        const size_t a = i / half * 2 * half + i % half;
        out[i] = x[a] * Sigmoid(x[a + half]);
      }
      Store(out.data(), c.outputs[0]);
    });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(GLU, Kernel);

}  // namespace ge
