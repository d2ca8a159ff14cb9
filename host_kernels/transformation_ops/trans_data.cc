// TransData: changes how a tensor is stored. Two forms: an engine's packed layout, named by the output type, under the
// same logical shape; or one plain format to another, which permutes the axes.
#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// perm[j]: the axis of src_format that becomes axis j of dst_format. Empty where the formats are equal.
Result<std::vector<int64_t>> FormatPermutation(const std::string& src, const std::string& dst, int64_t rank) {
  std::vector<int64_t> perm;
  if (src == dst) return perm;
  if (src.empty() || dst.empty()) return InvalidArgument("TransData: src_format and dst_format come together");
  for (const std::string& name : {src, dst}) {
    const auto format = FormatFromName(name);
    if (!format || *format == Format::kND)
      return Unimplemented(StrCat("TransData: from ", src, " to ", dst, ": ", name, " does not name the axes of a plain tensor"));
  }
  if (static_cast<int64_t>(src.size()) != rank)
    return InvalidArgument(StrCat("TransData: format ", src, " has ", static_cast<int64_t>(src.size()), " axes, the tensor ", rank));
  if (src.size() != dst.size()) return Unimplemented(StrCat("TransData: ", src, " and ", dst, " have different axes"));
  for (char axis : dst) {
    const size_t at = src.find(axis);
    if (at == std::string::npos) return Unimplemented(StrCat("TransData: ", src, " and ", dst, " have different axes"));
    perm.push_back(static_cast<int64_t>(at));
  }
  return perm;
}

Result<Types> Infer(const InferContext& ctx) {
  const ValueType& x = ctx.input(0);
  if (!x.IsTensor()) return InvalidArgument("TransData: operand 0 is no tensor");
  const std::string src = ctx.Str("src_format"), dst = ctx.Str("dst_format");
  GE_ASSIGN_OR_RETURN(const std::vector<int64_t> perm, FormatPermutation(src, dst, x.rank()));
  ValueType y = ValueType::Tensor(x.dtype(), x.shape());
  y.format = x.format;
  if (perm.empty()) return Types{std::move(y)};
  if (x.format != Format::kND && Name(x.format) != src)
    return InvalidArgument(StrCat("TransData: src_format is ", src, ", operand 0 is ", ToString(x)));
  if (ctx.Int("groups") != 1 || ctx.Int("src_subformat") != 0 || ctx.Int("dst_subformat") != 0)
    return Unimplemented("TransData: groups and sub-formats belong to packed formats");
  Shape shape;
  for (int64_t a : perm) shape.push_back(x.shape()[static_cast<size_t>(a)]);
  y = ValueType::Tensor(x.dtype(), std::move(shape));
  y.format = *FormatFromName(dst);
  return Types{std::move(y)};
}

struct TransDataKernel {
  static Status Compute(const HostKernelContext& ctx) {
    for (const ValueType* t : {&ctx.node.input(0)->type(), &ctx.node.output()->type()})
      if (t->layout.kind == StorageLayout::Kind::kPacked)
        return Unimplemented(StrCat("TransData: only the engine that owns the layout of ", ToString(*t), " can pack and unpack it"));
    GE_ASSIGN_OR_RETURN(const std::vector<int64_t> perm,
                        FormatPermutation(ctx.node.Str("src_format"), ctx.node.Str("dst_format"), ctx.inputs[0]->type().rank()));
    if (perm.empty()) return CopyBytes(ctx);
    const std::vector<int64_t> from = RowStrides(Extents(ctx.inputs[0]->type()));
    std::vector<int64_t> strides;
    for (int64_t a : perm) strides.push_back(from[static_cast<size_t>(a)]);
    return CopyView(ctx, strides, 0);
  }
};

}  // namespace

GE_DEFINE_OP(TransData)
    .Doc(
        "The same values stored in another way. src_format and dst_format equal (or absent): in the layout that the output type names, run "
        "by the engine that owns the layout. Different plain formats (NCHW, NHWC, HWCN; NCDHW, NDHWC): with permuted axes.")
    .Input("src")
    .Output("dst")
    .String("src_format", "")
    .String("dst_format", "")
    .Int("src_subformat", 0)
    .Int("dst_subformat", 0)
    .Int("groups", 1)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(TransData, TransDataKernel);

}  // namespace ge
