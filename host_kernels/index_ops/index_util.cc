#include "host_kernels/index_ops/index_util.h"

namespace ge {

Result<IndexShape> InferIndexed(const InferContext& ctx, const ValueType& x, size_t first) {
  IndexShape out;
  std::vector<bool> indexed(x.shape().size(), false);
  size_t axis = 0, groups = 0, first_axis = 0;
  bool in_group = false, any = false;
  for (size_t k = first; k < ctx.inputs.size(); ++k) {
    const ValueType* index = ctx.inputs[k];
    if (!index) {
      ++axis;
      in_group = false;
      continue;
    }
    if (!index->IsTensor()) return Unimplemented(StrCat(ctx.op.name, ": index ", static_cast<int64_t>(k - first), " is no tensor"));
    const bool mask = index->dtype() == DType::kBool || index->dtype() == DType::kU8;
    if (mask && index->rank() == 0) return Unimplemented(StrCat(ctx.op.name, ": a mask without axes"));
    const size_t taken = mask ? index->shape().size() : 1;
    if (axis + taken > x.shape().size())
      return InvalidArgument(StrCat(ctx.op.name, ": too many indices for a tensor of ", x.rank(), " axes"));
    for (size_t d = 0; d < taken; ++d) {
      if (mask && CertainlyDifferent(index->shape()[d], x.shape()[axis + d]))
        return InvalidArgument(
            StrCat(ctx.op.name, ": mask ", ToString(*index), " does not fit ", ToString(x), " at axis ", static_cast<int64_t>(axis + d)));
      indexed[axis + d] = true;
    }
    GE_ASSIGN_OR_RETURN(out.indices, BroadcastShapes(out.indices, mask ? Shape{Dim::Unknown()} : index->shape(), ctx.op.name));
    if (!any) first_axis = axis;
    groups += !in_group;
    in_group = any = true;
    axis += taken;
  }
  if (!any) return Unimplemented(StrCat(ctx.op.name, ": no index is present"));
  // Adjacent indices stay in place; indices with whole axes between them move to the front.
  if (groups == 1)
    for (size_t d = 0; d < first_axis; ++d) out.result.push_back(x.shape()[d]);
  out.position = out.result.size();
  out.result.insert(out.result.end(), out.indices.begin(), out.indices.end());
  for (size_t d = out.position; d < x.shape().size(); ++d)
    if (!indexed[d]) out.result.push_back(x.shape()[d]);
  return out;
}

Result<std::vector<int64_t>> IndexedOffsets(const HostKernelContext& ctx, const Tensor& x, size_t first) {
  const std::string_view op = ctx.node.op().name;
  const std::vector<int64_t> extents = Extents(x.type()), strides = RowStrides(extents);
  std::vector<const Tensor*> indices(extents.size(), nullptr);
  std::vector<const ValueType*> types;
  for (size_t k = 0; k < ctx.inputs.size(); ++k) types.push_back(ctx.inputs[k] ? &ctx.inputs[k]->type() : nullptr);
  for (size_t k = first; k < ctx.inputs.size(); ++k) {
    if (ctx.inputs[k] && !kIndexTypes.Has(ctx.inputs[k]->dtype()))
      return Unimplemented(StrCat(op, ": the reference kernel takes integer indices only"));
    if (k - first >= indices.size()) return InvalidArgument(StrCat(op, ": too many indices"));
    indices[k - first] = ctx.inputs[k];
  }
  GE_ASSIGN_OR_RETURN(const IndexShape shape, InferIndexed(InferContext{ctx.node.op(), types, ctx.node.attrs(), {}}, x.type(), first));
  const size_t rank = shape.indices.size();
  std::vector<int64_t> result, shared;
  for (const Dim& d : shape.result) result.push_back(d.value());
  for (const Dim& d : shape.indices) shared.push_back(d.value());
  struct Reader {
    std::vector<int64_t> values, strides;
    int64_t extent, stride;
  };
  std::vector<Reader> readers;
  std::vector<size_t> whole;  // axes kept, in order
  for (size_t d = 0; d < extents.size(); ++d) {
    if (!indices[d]) {
      whole.push_back(d);
      continue;
    }
    const std::vector<int64_t> own = Extents(indices[d]->type()), own_strides = RowStrides(own);
    Reader r{IntsOf(*indices[d]), std::vector<int64_t>(rank, 0), extents[d], strides[d]};
    for (size_t i = 0; i < own.size(); ++i)
      if (own[i] != 1) r.strides[rank - own.size() + i] = own_strides[i];
    for (int64_t& v : r.values) { GE_ASSIGN_OR_RETURN(v, CheckedIndex(v, extents[d], op)); }
    readers.push_back(std::move(r));
  }
  std::vector<int64_t> offsets;
  ForEachIndex(result, [&](std::span<const int64_t> at) {
    int64_t offset = 0;
    for (const Reader& r : readers) {
      int64_t from = 0;
      for (size_t i = 0; i < rank; ++i) from += at[shape.position + i] * r.strides[i];
      offset += r.values[static_cast<size_t>(from)] * r.stride;
    }
    for (size_t w = 0; w < whole.size(); ++w) offset += at[w < shape.position ? w : w + rank] * strides[whole[w]];
    offsets.push_back(offset);
  });
  return offsets;
}

}  // namespace ge
