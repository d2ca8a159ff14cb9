#include "host_kernels/convert.h"
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(Types y, InferSame(ctx));
  const Attr dst = ctx.attr("dst_type");
  const DType* to = dst.Get<DType>();
  if (!to) return InvalidArgument("the attribute 'dst_type' is no dtype");
  if (IsComplex(y[0].dtype()) && !IsComplex(*to))
    return Unimplemented("a complex tensor loses its imaginary part, which PyTorch warns about");
  return Types{ValueType::Tensor(*to, y[0].shape())};
}

}  // namespace

GE_DEFINE_OP(Cast)
    .Doc("x converted to dst_type")
    .Input("x", kAll)
    .Output("y", kAnyType)
    .Required("dst_type", AttrKind::kType)
    .Traits(kElementwise)
    .Infer(Infer)
    .Aten("aten::_to_copy(x, @dst_type, none, none, none, false, none)")
    .Aten("aten::_to_copy(x, @dst_type, none, \"cpu\", none, false, none)")
    .Aten("aten::_to_copy(x, @dst_type, \"strided\", \"cpu\", none, false, none)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    const DType to = c.outputs[0].dtype();
    if (!kAll.Has(to)) return NoKernel(c, to);  // u16, u32, u64 and f8 have rules of their own
    return ConvertInto(*In(c, 0), c.outputs[0], "Cast");
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Cast, Kernel);

}  // namespace ge
