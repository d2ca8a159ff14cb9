#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// Attribute axes: a list of [operand, axis] pairs.
Result<std::vector<std::pair<int64_t, int64_t>>> PairsOf(const Attr& axes) {
  const auto bad = [&] {
    return InvalidArgument(StrCat("GatherShapes: axes must be a list of [operand, axis] pairs, found ", ToString(axes)));
  };
  const Attr::List* list = axes.Get<Attr::List>();
  if (!list) return bad();
  std::vector<std::pair<int64_t, int64_t>> out;
  for (const Attr& a : *list) {
    const auto pair = a.AsInts();
    if (!pair || pair->size() != 2) return bad();
    out.emplace_back((*pair)[0], (*pair)[1]);
  }
  return out;
}

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const auto pairs, PairsOf(ctx.attr("axes")));
  for (const auto& [operand, axis] : pairs) {
    if (operand < 0 || operand >= static_cast<int64_t>(ctx.inputs.size()))
      return InvalidArgument(StrCat("GatherShapes: there is no operand ", operand));
    if (axis < 0 || axis >= ctx.input(static_cast<int>(operand)).rank())
      return InvalidArgument(StrCat("GatherShapes: operand ", operand, " has no axis ", axis));
  }
  const int64_t code = ctx.Int("dtype");  // DT_INT32, DT_INT64
  if (code != 3 && code != 9) return InvalidArgument(StrCat("GatherShapes: attribute dtype is ", code, "; expected 3 or 9"));
  return Types{ValueType::Tensor(code == 3 ? DType::kI32 : DType::kI64, {static_cast<int64_t>(pairs.size())})};
}

struct GatherShapesKernel {
  static Status Compute(const HostKernelContext& ctx) {
    GE_ASSIGN_OR_RETURN(const auto pairs, PairsOf(ctx.node.attr("axes")));
    std::vector<int64_t> extents;
    for (const auto& [operand, axis] : pairs)
      extents.push_back(ctx.inputs[static_cast<size_t>(operand)]->type().shape()[static_cast<size_t>(axis)].value());
    StoreInts(ctx.outputs[0], extents);
    return {};
  }
  static Status ComputeFromNode(const Node& node, std::span<Tensor> outputs) {
    GE_ASSIGN_OR_RETURN(const auto pairs, PairsOf(node.attr("axes")));
    std::vector<int64_t> extents;
    for (const auto& [operand, axis] : pairs) {
      const Dim& d = node.input(static_cast<int>(operand))->type().shape()[static_cast<size_t>(axis)];
      if (!d.IsConst()) return FailedPrecondition(StrCat("GatherShapes: axis ", axis, " of operand ", operand, " is not known"));
      extents.push_back(d.value());
    }
    StoreInts(outputs[0], extents);
    return {};
  }
};

}  // namespace

GE_DEFINE_OP(GatherShapes)
    .Doc("Chosen extents of several tensors as one vector: axes lists [operand, axis] pairs.")
    .VariadicInput("x")
    .Output("shape", kIndexTypes)
    .Required("axes", AttrKind::kAny)
    .Int("dtype", 3)
    .Traits(kValueFromType)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(GatherShapes, GatherShapesKernel);

}  // namespace ge
