#include <cstring>

#include "host_kernels/shape_util.h"

namespace ge {
namespace {

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  GE_ASSIGN_OR_RETURN(const std::vector<Dim> pads, OperandDims(ctx, 1));
  if (pads.size() % 2 != 0 || pads.size() > 2 * x.shape().size())
    return InvalidArgument(StrCat("PadV3: ", static_cast<int64_t>(pads.size()), " paddings for ", x.rank(),
                                  " axes; expected two an axis, at most ", 2 * x.rank()));
  const std::string mode = ctx.Str("mode");
  if (mode != "constant" && mode != "reflect" && mode != "edge")
    return InvalidArgument(StrCat("PadV3: unknown mode '", mode, "'; expected constant, reflect or edge"));
  const size_t axes = pads.size() / 2;
  if (const int64_t spatial = ctx.Int("spatial"); spatial != 0 && spatial != static_cast<int64_t>(axes))
    return InvalidArgument(StrCat("PadV3: expected ", 2 * spatial, " paddings, found ", static_cast<int64_t>(pads.size())));
  if (mode != "constant" && axes + 1 != x.shape().size() && axes + 2 != x.shape().size())
    return InvalidArgument(
        StrCat("PadV3: mode ", mode, " pads all axes but the first one or two; found ", static_cast<int64_t>(axes), " of ", x.rank()));
  Shape shape = x.shape();
  for (size_t k = 0; k < axes; ++k) {
    Dim& d = shape[shape.size() - 1 - k];
    const Dim &before = pads[2 * k], &after = pads[2 * k + 1];
    for (const Dim* p : {&before, &after}) {
      if (mode == "reflect" && p->IsConst() && d.IsConst() && p->value() >= d.value())
        return InvalidArgument(StrCat("PadV3: reflection by ", p->value(), " needs an extent of more than that, found ", d.value()));
    }
    d = d + before + after;
    if (d.IsConst() && d.value() < (mode == "constant" ? 0 : 1))
      return InvalidArgument(
          StrCat("PadV3: the padded extent of axis ", static_cast<int64_t>(shape.size() - 1 - k), " would be ", d.value()));
  }
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

struct PadV3Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    const Tensor& x = *ctx.inputs[0];
    Tensor& out = ctx.outputs[0];
    const std::vector<int64_t> in = Extents(x.type()), to = Extents(out.type()), strides = RowStrides(in), pads = IntsOf(*ctx.inputs[1]);
    const size_t size = SizeOf(out.dtype());
    const std::string mode = ctx.node.Str("mode");
    std::vector<int64_t> before(in.size(), 0);
    for (size_t k = 0; k * 2 < pads.size(); ++k) before[in.size() - 1 - k] = pads[2 * k];
    alignas(16) std::byte value[16] = {};
    if (!ctx.node.attr("value").IsNone()) GE_RETURN_IF_ERROR(StoreScalar(ctx.node.attr("value"), out.dtype(), value, "PadV3"));
    std::byte* p = out.mutable_data<std::byte>();
    ForEachIndex(to, [&](std::span<const int64_t> index) {
      int64_t from = 0;
      bool inside = true;
      for (size_t d = 0; d < in.size(); ++d) {
        int64_t i = index[d] - before[d];
        if (mode == "edge")
          i = i < 0 ? 0 : i >= in[d] ? in[d] - 1 : i;
        else if (mode == "reflect")
          i = i < 0 ? -i : i >= in[d] ? 2 * (in[d] - 1) - i : i;
        inside = inside && i >= 0 && i < in[d];
        from += i * strides[d];
      }
      std::memcpy(p, inside ? x.data<std::byte>() + from * static_cast<int64_t>(size) : value, size);
      p += size;
    });
    return {};
  }
};

}  // namespace

// spatial tells which ATen pad of the reflect or edge mode this is, and so the count of axes it pads; 0 for the
// constant mode. The paddings are in PyTorch's order: last axis first, before and after. Negative ones crop.
GE_DEFINE_OP(PadV3)
    .Doc("x with every axis extended (last axis first, two numbers an axis) by a constant, by reflection or by its edge.")
    .Input("x")
    .Input("paddings", kIndexTypes)
    .Output("y")
    .Optional("value", AttrKind::kScalar)
    .String("mode", "constant")
    .Bool("paddings_contiguous", true)
    .Int("spatial", 0)
    .Infer(Infer)
    .Aten("aten::constant_pad_nd(x, #paddings, @value)")
    .Aten("aten::constant_pad_nd(x, #paddings)")
    .Aten("aten::reflection_pad1d(x, #paddings) if mode=\"reflect\", spatial=1")
    .Aten("aten::reflection_pad2d(x, #paddings) if mode=\"reflect\", spatial=2")
    .Aten("aten::reflection_pad3d(x, #paddings) if mode=\"reflect\", spatial=3")
    .Aten("aten::replication_pad1d(x, #paddings) if mode=\"edge\", spatial=1")
    .Aten("aten::replication_pad2d(x, #paddings) if mode=\"edge\", spatial=2")
    .Aten("aten::replication_pad3d(x, #paddings) if mode=\"edge\", spatial=3");
REGISTER_COMPUTE_NODE_KERNEL(PadV3, PadV3Kernel);

}  // namespace ge
