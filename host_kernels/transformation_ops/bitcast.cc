#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  const Attr a = ctx.attr("type");
  const DType* to = a.Get<DType>();
  if (!to) return InvalidArgument(StrCat("Bitcast: attribute type must be a dtype, found ", ToString(a)));
  const int64_t from = static_cast<int64_t>(SizeOf(x.dtype())), size = static_cast<int64_t>(SizeOf(*to));
  Shape shape = x.shape();
  if (from != size) {
    if (shape.empty())
      return InvalidArgument(StrCat("Bitcast: a scalar of ", Name(x.dtype()), " cannot be read as ", Name(*to), ", which differs in size"));
    if (shape.back().IsConst() && shape.back().value() * from % size != 0)
      return InvalidArgument(
          StrCat("Bitcast: ", shape.back().value(), " elements of ", Name(x.dtype()), " do not divide into ", Name(*to)));
    shape.back() = from > size ? shape.back() * Dim(from / size) : Dim::FloorDiv(shape.back(), size / from);
  }
  return Types{ValueType::Tensor(*to, std::move(shape))};
}

struct BitcastKernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
};

}  // namespace

GE_DEFINE_OP(Bitcast)
    .Doc("The bytes of x read as another dtype; where the sizes differ, the last axis grows or shrinks.")
    .Input("x")
    .Output("y")
    .Required("type", AttrKind::kType)
    .Bool("keep_dim", false)
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::view.dtype(x, @type)");
REGISTER_COMPUTE_NODE_KERNEL(Bitcast, BitcastKernel);

}  // namespace ge
