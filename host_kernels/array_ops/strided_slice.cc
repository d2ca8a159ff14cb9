#include <algorithm>

#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// What begin, end, strides and the five masks come to: one entry an axis of x, and the axes of the result.
struct Plan {
  std::vector<int64_t> begin, step, count;  // by axis of x
  std::vector<int64_t> source;              // by axis of the result: an axis of x, or -1 for a new axis
};

struct Masks {
  int64_t begin, end, ellipsis, new_axis, shrink;
};

// The rules of tf.strided_slice: bounds wrap and clamp, negative steps walk backwards, an ellipsis takes the axes left.
Result<Plan> MakePlan(std::span<const int64_t> extents, std::span<const int64_t> begin, std::span<const int64_t> end,
                      std::span<const int64_t> step, const Masks& m) {
  if (begin.size() != end.size() || begin.size() != step.size())
    return InvalidArgument("StridedSlice: begin, end and strides differ in length");
  if (begin.size() > 63) return InvalidArgument("StridedSlice: more slices than a mask has bits");
  const size_t rank = extents.size();
  size_t used = 0;
  bool ellipsis = false;
  for (size_t k = 0; k < begin.size(); ++k) {
    if (m.ellipsis >> k & 1) {
      if (ellipsis) return InvalidArgument("StridedSlice: more than one ellipsis");
      ellipsis = true;
    } else if (!(m.new_axis >> k & 1)) {
      ++used;
    }
  }
  if (used > rank)
    return InvalidArgument(StrCat("StridedSlice: ", static_cast<int64_t>(used), " slices for ", static_cast<int64_t>(rank), " axes"));
  Plan p;
  size_t axis = 0;
  const auto whole = [&] {
    p.begin.push_back(0), p.step.push_back(1), p.count.push_back(extents[axis]), p.source.push_back(static_cast<int64_t>(axis));
    ++axis;
  };
  for (size_t k = 0; k < begin.size(); ++k) {
    if (m.ellipsis >> k & 1) {
      for (size_t left = rank - used; left > 0; --left) whole();
      continue;
    }
    if (m.new_axis >> k & 1) {
      p.source.push_back(-1);
      continue;
    }
    const int64_t n = extents[axis], s = step[k];
    if (s == 0) return InvalidArgument("StridedSlice: the step is 0");
    if (m.shrink >> k & 1) {
      const int64_t i = begin[k] < 0 ? begin[k] + n : begin[k];
      if (i < 0 || i >= n)
        return InvalidArgument(
            StrCat("StridedSlice: index ", begin[k], " is out of range for axis ", static_cast<int64_t>(axis), " of extent ", n));
      p.begin.push_back(i), p.step.push_back(1), p.count.push_back(1);
      ++axis;
      continue;
    }
    const int64_t low = s > 0 ? 0 : -1, high = s > 0 ? n : n - 1;
    const auto place = [&](int64_t v) { return std::clamp(v < 0 ? v + n : v, low, high); };
    const int64_t b = m.begin >> k & 1 ? (s > 0 ? 0 : n - 1) : place(begin[k]), e = m.end >> k & 1 ? (s > 0 ? n : -1) : place(end[k]);
    const int64_t span = s > 0 ? e - b : b - e;
    const uint64_t width = s > 0 ? static_cast<uint64_t>(s) : -static_cast<uint64_t>(s);
    const int64_t count = span <= 0 ? 0 : static_cast<int64_t>(static_cast<uint64_t>(span - 1) / width) + 1;
    // With one element or none there is no step, which may be beyond what multiplies with a stride; nor a place to begin with none.
    p.begin.push_back(count > 0 ? b : 0), p.step.push_back(count > 1 ? s : 1), p.count.push_back(count),
        p.source.push_back(static_cast<int64_t>(axis));
    ++axis;
  }
  while (axis < rank) whole();
  return p;
}

template <typename Context>
Masks MasksOf(const Context& c) {
  return {c.Int("begin_mask"), c.Int("end_mask"), c.Int("ellipsis_mask"), c.Int("new_axis_mask"), c.Int("shrink_axis_mask")};
}

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  const auto begin = ctx.ConstInts(1), end = ctx.ConstInts(2), step = ctx.ConstInts(3);
  if (!x.IsStatic() || !begin || !end || !step)
    return Unimplemented("StridedSlice: a known shape and constant bounds are expected; StridedSliceV2 takes others");
  GE_ASSIGN_OR_RETURN(const Plan p, MakePlan(Extents(x), *begin, *end, *step, MasksOf(ctx)));
  Shape shape;
  for (int64_t a : p.source) shape.push_back(a < 0 ? 1 : p.count[static_cast<size_t>(a)]);
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

struct StridedSliceKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const std::vector<int64_t> extents = Extents(ctx.inputs[0]->type()), own = RowStrides(extents);
    GE_ASSIGN_OR_RETURN(const Plan p,
                        MakePlan(extents, IntsOf(*ctx.inputs[1]), IntsOf(*ctx.inputs[2]), IntsOf(*ctx.inputs[3]), MasksOf(ctx.node)));
    int64_t offset = 0;
    std::vector<int64_t> strides;
    for (size_t d = 0; d < extents.size(); ++d) offset += p.begin[d] * own[d];
    for (int64_t a : p.source) strides.push_back(a < 0 ? 0 : own[static_cast<size_t>(a)] * p.step[static_cast<size_t>(a)]);
    return CopyView(ctx, strides, offset);
  }
};

}  // namespace

GE_DEFINE_OP(StridedSlice)
    .Doc("x[begin:end:strides] from the first axis on, with TensorFlow's masks; steps may be negative.")
    .Input("x")
    .Input("begin", kIndexTypes)
    .Input("end", kIndexTypes)
    .Input("strides", kIndexTypes)
    .Output("y")
    .Int("begin_mask", 0)
    .Int("end_mask", 0)
    .Int("ellipsis_mask", 0)
    .Int("new_axis_mask", 0)
    .Int("shrink_axis_mask", 0)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(StridedSlice, StridedSliceKernel);

}  // namespace ge
