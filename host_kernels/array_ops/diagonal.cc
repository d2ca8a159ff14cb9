#include <algorithm>

#include "host_kernels/shape_util.h"

namespace ge {
namespace {

struct Axes {
  int64_t dim1, dim2;
};
Result<Axes> AxesOf(int64_t rank, int64_t dim1, int64_t dim2) {
  if (rank < 2) return InvalidArgument(StrCat("Diagonal: expected at least 2 axes, found ", rank));
  GE_ASSIGN_OR_RETURN(const int64_t a, NormalizeAxis(dim1, rank, "Diagonal"));
  GE_ASSIGN_OR_RETURN(const int64_t b, NormalizeAxis(dim2, rank, "Diagonal"));
  if (a == b) return InvalidArgument(StrCat("Diagonal: axes dim1 and dim2 are both ", a));
  return Axes{a, b};
}

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  GE_ASSIGN_OR_RETURN(const Axes axes, AxesOf(x.rank(), ctx.Int("dim1"), ctx.Int("dim2")));
  const Dim &rows = x.shape()[static_cast<size_t>(axes.dim1)], &columns = x.shape()[static_cast<size_t>(axes.dim2)];
  const int64_t offset = ctx.Int("offset");
  Dim length = Dim::Unknown();
  if (rows.IsConst() && columns.IsConst())
    length = std::max<int64_t>(0, std::min(rows.value() + std::min<int64_t>(offset, 0), columns.value() - std::max<int64_t>(offset, 0)));
  else if (offset == 0)
    length = Dim::Min(rows, columns);
  Shape shape;
  for (int64_t d = 0; d < x.rank(); ++d)
    if (d != axes.dim1 && d != axes.dim2) shape.push_back(x.shape()[static_cast<size_t>(d)]);
  shape.push_back(length);
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

struct DiagonalKernel {
  static Status Compute(const HostKernelContext& ctx) {
    const std::vector<int64_t> strides = RowStrides(Extents(ctx.inputs[0]->type()));
    GE_ASSIGN_OR_RETURN(const Axes axes, AxesOf(static_cast<int64_t>(strides.size()), ctx.node.Int("dim1"), ctx.node.Int("dim2")));
    const int64_t offset = ctx.node.Int("offset"), row = strides[static_cast<size_t>(axes.dim1)],
                  column = strides[static_cast<size_t>(axes.dim2)];
    std::vector<int64_t> out;
    for (int64_t d = 0; d < static_cast<int64_t>(strides.size()); ++d)
      if (d != axes.dim1 && d != axes.dim2) out.push_back(strides[static_cast<size_t>(d)]);
    out.push_back(row + column);
    return CopyView(ctx, out, offset >= 0 ? offset * column : -offset * row);
  }
};

}  // namespace

GE_DEFINE_OP(Diagonal)
    .Doc("The diagonal of the matrices that axes dim1 and dim2 span, as a last axis. A view.")
    .Input("x")
    .Output("y")
    .Int("offset", 0)
    .Int("dim1", 0)
    .Int("dim2", 1)
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::diagonal(x, @offset, @dim1, @dim2)");
REGISTER_COMPUTE_NODE_KERNEL(Diagonal, DiagonalKernel);

}  // namespace ge
