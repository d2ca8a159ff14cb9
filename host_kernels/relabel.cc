#include "host_kernels/relabel.h"

#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// Elements lie in row-major order, without gaps. A layout that a pass may still choose is not decided.
bool IsRowMajor(const ValueType& type) {
  switch (type.layout.kind) {
    case StorageLayout::Kind::kContiguous: return true;
    case StorageLayout::Kind::kStrided: return type.layout.strides == type.ContiguousStrides();
    default: return false;
  }
}

}  // namespace

Status AdjustRelabelling(Graph& graph, Node& node) {
  const auto cannot = [&](std::string_view why) { return Unimplemented(StrCat(node.op().name, " '", node.name(), "': ", why)); };
  const ValueType& x = node.input(0)->type();
  if (!x.IsTensor() || !x.IsStatic()) return cannot(StrCat("operand 0 is ", ToString(x), ", not of a known shape"));
  if (!IsRowMajor(x)) return cannot(StrCat("operand 0 is ", ToString(x), ", not stored row-major"));

  std::vector<const ValueType*> inputs;
  for (const Value* v : node.inputs()) inputs.push_back(v ? &v->type() : nullptr);
  const InferContext context{node.op(), inputs, node.attrs(), [&](int i) { return node.input(i)->producer()->const_value(); }};
  GE_ASSIGN_OR_RETURN(const Types inferred, node.op().infer(context));

  // What inference does not know (the target is no constant) may have been known to the graph's author.
  ValueType y = node.output()->type();
  if (!y.IsTensor() || y.rank() != inferred[0].rank()) return Internal(StrCat(node.name(), ": the stored type is ", ToString(y)));
  Shape shape = inferred[0].shape();
  for (size_t d = 0; d < shape.size(); ++d)
    if (!shape[d].IsConst()) shape[d] = y.shape()[d];
  ValueType complete = ValueType::Tensor(y.dtype(), std::move(shape));
  complete.format = y.format;
  complete.layout = y.layout;
  complete.placement = y.placement;
  if (!complete.IsStatic()) return cannot(StrCat("its result is ", ToString(complete), ", not of a known shape"));
  if (complete.StaticNumElements() != x.StaticNumElements())
    return InvalidArgument(StrCat(node.op().name, " '", node.name(), "' makes ", ToString(complete), " of ", ToString(x)));
  if (!IsRowMajor(complete)) return cannot(StrCat("its result is ", ToString(complete), ", not stored row-major"));
  if (!(complete == y)) graph.SetType(node.output(), std::move(complete));
  return {};
}

}  // namespace ge
