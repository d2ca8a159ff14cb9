#include "host_kernels/nn_util.h"

#include <algorithm>

namespace ge::nn {
namespace {

std::string PortName(const InferContext& ctx, int i) {
  return StrCat(ctx.op.name, ": input ", i, " (", ctx.op.inputs[static_cast<size_t>(i)].name, ")");
}

bool Expand(std::vector<int64_t>& v, size_t n, const std::vector<int64_t>& empty) {
  if (v.empty()) v = empty;
  if (v.size() == 1) v.assign(n, v[0]);
  return v.size() == n;
}

}  // namespace

Status RequireTensors(const InferContext& ctx, int count) {
  for (int i = 0; i < std::min(count, static_cast<int>(ctx.inputs.size())); ++i)
    if (ctx.has_input(i) && !ctx.input(i).IsTensor())
      return Unimplemented(StrCat(ctx.op.name, ": input ", i, " is no dense tensor but ", ToString(ctx.input(i))));
  return {};
}

Status RequireSameDType(const InferContext& ctx, std::initializer_list<int> ports) {
  int first = -1;
  for (int i : ports) {
    if (!ctx.has_input(i)) continue;
    if (first < 0) first = i;
    if (ctx.input(i).dtype() != ctx.input(first).dtype())
      return Unimplemented(StrCat(PortName(ctx, i), " is ", Name(ctx.input(i).dtype()), ", expected the dtype of input ", first, ", ",
                                  Name(ctx.input(first).dtype())));
  }
  return {};
}

Status RequireRank(const InferContext& ctx, int i, int64_t rank) {
  if (ctx.input(i).rank() == rank) return {};
  return Unimplemented(StrCat(PortName(ctx, i), " is ", ToString(ctx.input(i)), ", expected ", rank, " axes"));
}

Status RequireDim(const InferContext& ctx, std::string_view what, const Dim& found, const Dim& expected) {
  if (!CertainlyDifferent(found, expected)) return {};
  return InvalidArgument(StrCat(ctx.op.name, ": ", what, " is ", found.ToString(), ", expected ", expected.ToString()));
}

Status RequireVector(const InferContext& ctx, int i, const Dim& n) {
  if (!ctx.has_input(i)) return {};
  if (ctx.input(i).rank() != 1) return Unimplemented(StrCat(PortName(ctx, i), " is ", ToString(ctx.input(i)), ", expected one axis"));
  return RequireDim(ctx, StrCat("the length of input ", i), ctx.input(i).shape()[0], n);
}

Status RequireShape(const InferContext& ctx, int i, const Shape& shape) {
  if (!ctx.has_input(i)) return {};
  const Shape& found = ctx.input(i).shape();
  bool ok = found.size() == shape.size();
  for (size_t d = 0; ok && d < shape.size(); ++d) ok = !CertainlyDifferent(found[d], shape[d]);
  if (ok) return {};
  return InvalidArgument(StrCat(PortName(ctx, i), " is ", ToString(ctx.input(i)), ", expected shape ",
                                ToString(ValueType::Tensor(ctx.input(i).dtype(), shape))));
}

Result<std::vector<int64_t>> SpatialInts(const InferContext& ctx, std::string_view attr, size_t n, const std::vector<int64_t>& empty) {
  std::vector<int64_t> v = ctx.Ints(attr);
  const size_t found = v.size();
  if (Expand(v, n, empty)) return v;
  return Unimplemented(StrCat(ctx.op.name, ": attribute '", attr, "' has ", found, " numbers, expected ", n, " (one a spatial axis)"));
}

std::vector<int64_t> SpatialInts(const Node& node, std::string_view attr, size_t n, const std::vector<int64_t>& empty) {
  std::vector<int64_t> v = node.Ints(attr);
  GE_CHECK(Expand(v, n, empty), "spatial attribute of the wrong length: inference lets none through");
  return v;
}

Result<std::vector<bool>> MaskOf(const InferContext& ctx, std::string_view attr, size_t n) {
  const Attr a = ctx.attr(attr);
  const Attr::List* list = a.Get<Attr::List>();
  std::vector<bool> mask;
  if (list) {
    for (const Attr& item : *list)
      if (const bool* b = item.Get<bool>()) mask.push_back(*b);
  }
  if (!list || mask.size() != n || list->size() != n)
    return InvalidArgument(StrCat(ctx.op.name, ": attribute '", attr, "' is ", ToString(a), ", expected a list of ", n, " bools"));
  return mask;
}

Dim WindowOutput(const Dim& in, const Dim& kernel, int64_t stride, int64_t pad, int64_t dilation) {
  return Dim::FloorDiv(in + Dim(2 * pad) - Dim(dilation) * (kernel - Dim(1)) - Dim(1), Dim(stride)) + Dim(1);
}

Dim PoolOutput(const Dim& in, int64_t kernel, int64_t stride, int64_t pad, int64_t dilation, bool ceil_mode) {
  if (!ceil_mode || stride == 1) return WindowOutput(in, kernel, stride, pad, dilation);
  if (!in.IsConst()) return Dim::Unknown();
  int64_t out = Dim::FloorDiv(in + Dim(2 * pad - dilation * (kernel - 1) - 1 + stride - 1), Dim(stride)).value() + 1;
  if ((out - 1) * stride >= in.value() + pad) --out;
  return out;
}

Status RequireOutputExtent(const InferContext& ctx, const Dim& extent, bool positive) {
  if (!extent.IsConst() || extent.value() >= (positive ? 1 : 0)) return {};
  return InvalidArgument(
      StrCat(ctx.op.name, ": the window does not fit the input ", ToString(ctx.input(0)), ": the output extent would be ", extent.value()));
}

Result<Window> WindowOf(const InferContext& ctx, size_t n, bool has_dilation) {
  Window w;
  GE_ASSIGN_OR_RETURN(w.kernel, SpatialInts(ctx, "ksize", n));
  GE_ASSIGN_OR_RETURN(w.stride, SpatialInts(ctx, "strides", n, w.kernel));
  GE_ASSIGN_OR_RETURN(w.pad, SpatialInts(ctx, "pads", n, {0}));
  w.dilation.assign(n, 1);
  if (has_dilation) { GE_ASSIGN_OR_RETURN(w.dilation, SpatialInts(ctx, "dilation", n, {1})); }
  w.ceil_mode = ctx.Bool("ceil_mode");
  constexpr int64_t kLimit = int64_t{1} << 31;  // keeps window arithmetic far from overflow
  for (size_t d = 0; d < n; ++d) {
    const auto in_range = [](int64_t v, int64_t low) { return v >= low && v < kLimit; };
    if (!in_range(w.kernel[d], 1) || !in_range(w.stride[d], 1) || !in_range(w.dilation[d], 1) || !in_range(w.pad[d], 0))
      return InvalidArgument(StrCat(ctx.op.name, ": kernel ", w.kernel[d], ", stride ", w.stride[d], ", dilation ", w.dilation[d],
                                    " must be positive and padding ", w.pad[d], " not negative"));
    if (w.pad[d] > (w.dilation[d] * (w.kernel[d] - 1) + 1) / 2)
      return InvalidArgument(StrCat(ctx.op.name, ": padding ", w.pad[d], " is more than half the effective kernel size ",
                                    w.dilation[d] * (w.kernel[d] - 1) + 1));
  }
  return w;
}

Window WindowOf(const Node& node, size_t n, bool has_dilation) {
  Window w;
  w.kernel = SpatialInts(node, "ksize", n);
  w.stride = SpatialInts(node, "strides", n, w.kernel);
  w.pad = SpatialInts(node, "pads", n, {0});
  w.dilation = has_dilation ? SpatialInts(node, "dilation", n, {1}) : std::vector<int64_t>(n, 1);
  w.ceil_mode = node.Bool("ceil_mode");
  return w;
}

Result<Shape> PooledShape(const InferContext& ctx, const Window& w) {
  Shape shape = ctx.input(0).shape();
  const size_t n = w.kernel.size(), first = shape.size() - n;
  for (size_t d = 0; d < first; ++d)  // PyTorch accepts an empty batch only
    if (shape[d].Is(0) && !(d == 0 && first == 2))
      return InvalidArgument(StrCat(ctx.op.name, ": input ", ToString(ctx.input(0)), " is empty in an axis other than the batch"));
  for (size_t d = 0; d < n; ++d) {
    if (shape[first + d].Is(0))
      return InvalidArgument(StrCat(ctx.op.name, ": input ", ToString(ctx.input(0)), " is empty in a spatial axis"));
    shape[first + d] = PoolOutput(shape[first + d], w.kernel[d], w.stride[d], w.pad[d], w.dilation[d], w.ceil_mode);
    GE_RETURN_IF_ERROR(RequireOutputExtent(ctx, shape[first + d], true));
  }
  return shape;
}

Result<std::vector<double>> ReadFloats(const Tensor* tensor, std::string_view op) {
  std::vector<double> out;
  if (!tensor) return out;
  if (!kFloatTypes.Has(tensor->dtype()))
    return Unimplemented(StrCat(op, ": the reference kernel reads float tensors, found ", Name(tensor->dtype())));
  out.resize(static_cast<size_t>(tensor->num_elements()));
  GE_RETURN_IF_ERROR(elem::VisitReal(tensor->dtype(), op, [&](auto tag) {
    using T = typename decltype(tag)::type;
    const T* p = tensor->data<T>();
    for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(elem::Widen<T>(p[i]));
    return Status();
  }));
  return out;
}

Status WriteFloats(Tensor& tensor, std::span<const double> values, std::string_view op) {
  GE_CHECK(values.size() == static_cast<size_t>(tensor.num_elements()), "WriteFloats: value count");
  return elem::VisitReal(tensor.dtype(), op, [&](auto tag) -> Status {
    using T = typename decltype(tag)::type;
    if constexpr (elem::kIsFloat<T>) {
      T* p = tensor.mutable_data<T>();
      for (size_t i = 0; i < values.size(); ++i) p[i] = elem::Narrow<T>(values[i]);
      return {};
    } else {
      return Unimplemented(StrCat(op, ": the reference kernel writes float tensors, found ", Name(tensor.dtype())));
    }
  });
}

}  // namespace ge::nn
