#include "host_kernels/element_util.h"
#include "host_kernels/index_ops/index_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType &x = ctx.input(0), &index = ctx.input(1);
  GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.Int("axis"), x.rank(), "ScatterElements"));
  if (ctx.has_input(2) != ctx.attr("value").IsNone())
    return InvalidArgument("ScatterElements: the operand 'updates' or the attribute value, exactly one of them");
  const ValueType* src = ctx.has_input(2) ? &ctx.input(2) : nullptr;
  if (src && src->dtype() != x.dtype())
    return Unimplemented(StrCat("ScatterElements: updates of ", Name(src->dtype()), " into ", Name(x.dtype())));
  if (x.rank() != index.rank() || (src && src->rank() != index.rank()))
    return Unimplemented("ScatterElements: operands of different ranks");
  for (int64_t d = 0; d < x.rank() && !index.NumElements().Is(0); ++d) {
    const size_t k = static_cast<size_t>(d);
    const auto exceeds = [&](const ValueType& t) {
      return index.shape()[k].IsConst() && t.shape()[k].IsConst() && index.shape()[k].value() > t.shape()[k].value();
    };
    if ((d != axis && exceeds(x)) || (src && exceeds(*src)))
      return InvalidArgument(
          StrCat("ScatterElements: index ", ToString(index), " exceeds ", ToString(src && exceeds(*src) ? *src : x), " at axis ", d));
  }
  return Types{ValueType::Tensor(x.dtype(), x.shape())};
}

struct ScatterElementsKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const std::string how = ctx.node.Str("reduction");
    if (how != "none" && how != "add") return Unimplemented(StrCat("ScatterElements: the reference kernel does not reduce by ", how));
    if (ctx.node.Bool("include_self") == false && how != "none")
      return Unimplemented("ScatterElements: the reference kernel includes the operand");
    GE_RETURN_IF_ERROR(CopyBytes(ctx));
    Tensor& out = ctx.outputs[0];
    const std::vector<int64_t> index = IntsOf(*ctx.inputs[1]), extents = Extents(out.type()), strides = RowStrides(extents);
    GE_ASSIGN_OR_RETURN(const int64_t axis, NormalizeAxis(ctx.node.Int("axis"), static_cast<int64_t>(extents.size()), "ScatterElements"));
    const Tensor* src = ctx.inputs.size() > 2 ? ctx.inputs[2] : nullptr;
    const std::vector<int64_t> src_strides = src ? RowStrides(Extents(src->type())) : std::vector<int64_t>(extents.size(), 0);
    alignas(16) std::byte value[16] = {};
    if (!src) GE_RETURN_IF_ERROR(StoreScalar(ctx.node.attr("value"), out.dtype(), value, "ScatterElements"));
    const size_t a = static_cast<size_t>(axis);
    const int64_t extent = extents.empty() ? 1 : extents[a];
    return elem::VisitArithmetic(out.dtype(), "ScatterElements", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      const T* from = src ? src->template data<T>() : reinterpret_cast<const T*>(value);
      T* to = out.mutable_data<T>();
      size_t k = 0;
      Status status;
      ForEachIndex(Extents(ctx.inputs[1]->type()), [&](std::span<const int64_t> at) {
        const int64_t i = index[k++];
        if (i < 0 || i >= extent) {
          if (status.ok())
            status = InvalidArgument(StrCat("ScatterElements: index ", i, " is out of bounds for an axis of extent ", extent));
          return;
        }
        int64_t offset = 0, source = 0;
        for (size_t d = 0; d < extents.size(); ++d) {
          offset += (d == a ? i : at[d]) * strides[d];
          source += at[d] * src_strides[d];
        }
        if (how == "add")
          to[offset] = elem::Narrow<T>(elem::WrapAdd(elem::Widen(to[offset]), elem::Widen(from[source])));
        else
          to[offset] = from[source];
      });
      return status;
    });
  }
};

}  // namespace

GE_DEFINE_OP(ScatterElements)
    .Doc(
        "data with data[.., indices[.., i, ..], ..] = updates[.., i, ..] along an axis, or the attribute value; reduction: none, add, "
        "and scatter_reduce's sum, prod, mean, amax, amin.")
    .Input("data")
    .Input("indices", kIndexTypes)
    .OptionalInput("updates")
    .Output("y")
    .Int("axis", 0)
    .Optional("value", AttrKind::kScalar)
    .String("reduction", "none")
    .Bool("include_self", true)
    .Infer(Infer)
    .Aten("aten::scatter.src(data, @axis, indices, updates)")
    .Aten("aten::scatter.value(data, @axis, indices, @value)")
    .Aten("aten::scatter_add(data, @axis, indices, updates) if reduction=\"add\"")
    .Aten("aten::scatter_reduce.two(data, @axis, indices, updates, @reduction, @include_self)");
REGISTER_COMPUTE_NODE_KERNEL(ScatterElements, ScatterElementsKernel);

}  // namespace ge
