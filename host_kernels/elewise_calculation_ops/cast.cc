#include <limits>
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

// float to integer as x86 does it, PyTorch's CPU answer: i64 and i32 directly, u8 through i64, i8 and i16 through i32. Out
// of range and NaN give the smallest integer of the type converted through.
int64_t Truncate(double v, DType to) {
  const bool wide = to == DType::kI64 || to == DType::kU8;
  const double limit = wide ? 9223372036854775808.0 : 2147483648.0;
  const double t = std::trunc(v);
  if (!(t >= -limit && t < limit)) return wide ? std::numeric_limits<int64_t>::min() : std::numeric_limits<int32_t>::min();
  return static_cast<int64_t>(t);
}

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
    const DType from = In(c, 0)->dtype(), to = c.outputs[0].dtype();
    if (!kAll.Has(to) || (to == DType::kC64 && from == DType::kI64 /* would round twice */)) return NoKernel(c, to);
    if (!kFloatTypes.Has(from) || !kInts.Has(to)) {
      // Widest type that holds every value of both sides: one rounding, when storing. f16 and bf16 are stored through float.
      const DType via = IsComplex(to)                                 ? DType::kC128
                        : kIntsBool.Has(to) && !kFloatTypes.Has(from) ? DType::kI64
                        : to == DType::kF64 || from == DType::kF64    ? DType::kF64
                                                                      : DType::kF32;
      return DispatchAll(c, via, [&]<typename C>(Tag<C>) {
        Map(c.outputs[0], [to](C v) { return to == DType::kBool ? C(v != C(0)) : v; }, Load<C>(*In(c, 0), c.outputs[0].type()));
      });
    }
    const auto x = Load<double>(*In(c, 0), c.outputs[0].type());
    Map(c.outputs[0], [to](double v) { return Truncate(v, to); }, x);
    return {};
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Cast, Kernel);

}  // namespace ge
