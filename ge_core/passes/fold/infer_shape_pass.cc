#include "ge_core/passes/fold/infer_shape_pass.h"

#include "ge_core/ir/signature.h"
#include "ge_core/passes/pass_def.h"
#include "ge_core/passes/rewriter.h"

namespace ge {
namespace {

std::unique_ptr<NodePass> Make(const PassContext& c) { return std::make_unique<InferShapePass>(c); }

// `inferred` where it knows an extent that `stored` leaves open; what `stored` has beyond that (expressions, layout, format)
// stays. Null-like result (false): nothing new.
bool Refine(ValueType& stored, const ValueType& inferred) {
  if (!stored.IsTensor() || !CompatibleType(inferred, stored)) return false;
  Shape shape = stored.shape();
  bool better = false;
  for (size_t d = 0; d < shape.size(); ++d) {
    const Dim& now = inferred.shape()[d];
    const bool more = (now.IsConst() && !shape[d].IsConst()) || (now.IsSymbolic() && shape[d].IsUnknown());
    if (more) shape[d] = now, better = true;
  }
  if (!better) return false;
  ValueType refined = ValueType::Tensor(stored.dtype(), std::move(shape));
  refined.format = stored.format;
  refined.layout = stored.layout;
  refined.placement = stored.placement;
  stored = std::move(refined);
  return true;
}

}  // namespace

REG_PASS_OPTION(InferShapePass)
    .Name("infer-shape")
    .Doc("Infers open result types again from what is known of the operands by now.")
    .Levels(OptLevel::kO1)
    .Node(&Make);

Result<bool> InferShapePass::Run(Node& node, Rewriter& rewriter) {
  if (!node.op().infer) return false;
  bool open = false;
  for (int o = 0; o < node.num_outputs(); ++o) open |= node.output(o)->type().IsTensor() && !node.output(o)->type().IsStatic();
  if (!open) return false;
  std::vector<const ValueType*> in;
  for (const Value* v : node.inputs()) in.push_back(v ? &v->type() : nullptr);
  InferContext context{node.op(), in, node.attrs(), [&](int i) -> const Tensor* {
                         const Value* v = i >= 0 && i < node.num_inputs() ? node.input(i) : nullptr;
                         if (!v) return nullptr;
                         return context_.potential_consts ? context_.potential_consts->Value(v) : v->producer()->const_value();
                       }};
  Result<std::vector<ValueType>> types = node.op().infer(context);
  if (!types.ok() || types->size() != static_cast<size_t>(node.num_outputs())) return false;  // it stays open
  bool changed = false;
  for (int o = 0; o < node.num_outputs(); ++o) {
    ValueType type = node.output(o)->type();
    // Strides that were given for an open shape would have to be computed again; they stay as they are, and so does it.
    if (type.layout.kind == StorageLayout::Kind::kStrided || !Refine(type, (*types)[static_cast<size_t>(o)])) continue;
    rewriter.graph().SetType(node.output(o), std::move(type));
    changed = true;
  }
  return changed;
}

}  // namespace ge
