#include "ge_core/passes/cleanup/broadcast_remove_pass.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

std::unique_ptr<NodePass> Make(const PassContext& c) { return std::make_unique<BroadcastRemovePass>(c); }

// More readers than this are not looked at, so that one visit costs little.
constexpr size_t kMaxReaders = 64;

// The result type of `node` if every operand that is `from` had the type `type`; nullopt where inference refuses.
std::optional<ValueType> InferWith(const Node& node, const Value* from, const ValueType& type) {
  std::vector<const ValueType*> in;
  for (const Value* v : node.inputs()) in.push_back(!v ? nullptr : v == from ? &type : &v->type());
  const InferContext context{node.op(), in, node.attrs(), [&](int i) {
                               const Value* v = i >= 0 && i < node.num_inputs() ? node.input(i) : nullptr;
                               return v && v != from ? v->producer()->const_value() : nullptr;
                             }};
  auto types = node.op().infer(context);
  if (!types.ok() || types->size() != 1) return std::nullopt;
  return std::move((*types)[0]);
}

// Why `reader` cannot read x, the operand of the BroadcastTo that gives `wide`.
std::string WhyNotRead(const Node& reader, const Value& wide, const ValueType& x) {
  if (!reader.op().Has(kElementwise) || !reader.op().infer || reader.num_outputs() != 1 || !reader.pure())
    return StrCat("'", reader.name(), "' reads it, which is not element-wise");
  const ValueType& out = reader.output()->type();
  if (!out.IsTensor() || HasUnknownExtent(out)) return StrCat("the shape of '", reader.name(), "' is not known");

  // Every extent of the result that x does not have, another operand has.
  const size_t rank = out.shape().size();
  for (size_t k = 1; k <= rank; ++k) {
    const Dim& want = out.shape()[rank - k];
    const auto supplies = [&](const ValueType& t) { return k <= t.shape().size() && t.shape()[t.shape().size() - k] == want; };
    bool found = supplies(x);
    for (const Value* v : reader.inputs()) found |= v && v != &wide && v->type().IsTensor() && supplies(v->type());
    if (!found) return StrCat("no other operand of '", reader.name(), "' has its extent ", want.ToString());
  }

  Shape probe = {Dim(2)};
  probe.insert(probe.end(), out.shape().begin(), out.shape().end());
  const auto enlarged = InferWith(reader, &wide, ValueType::Tensor(wide.type().dtype(), probe));
  if (!enlarged || !enlarged->IsTensor() || enlarged->shape() != probe)
    return StrCat("'", reader.name(), "' does not broadcast this operand");
  const auto narrow = InferWith(reader, &wide, x);
  if (!narrow || !SameLogicalType(*narrow, out)) return StrCat("'", reader.name(), "' would not keep its type");
  return {};
}

}  // namespace

REG_PASS_OPTION(BroadcastRemovePass)
    .Name("broadcast-remove")
    .Doc("Removes broadcasts that feed only element-wise operators, which broadcast by themselves.")
    .Levels(OptLevel::kO1)
    .Node(&Make);

std::span<const std::string_view> BroadcastRemovePass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"BroadcastTo"};
  return kAnchors;
}

std::string BroadcastRemovePass::Refusal(const Node& node, const Rewriter& rewriter) const {
  if (std::string kept = KeptByUser(node, fold_); !kept.empty()) return kept;
  const Value &x = *node.input(0), &wide = *node.output();
  if (x.type().rank() == 0) return "a scalar takes part in dtype promotion in another way than a tensor";
  if (!node.control_outputs().empty()) return "other nodes wait for it";
  if (wide.uses().size() > kMaxReaders) return "it has many readers";
  if (std::string why = WhyNotReadPast(wide, x, rewriter, fold_); !why.empty()) return why;
  for (const Use& use : wide.uses())
    if (std::string why = WhyNotRead(*use.user, wide, x.type()); !why.empty()) return why;
  return {};
}

std::string BroadcastRemovePass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return node.Is("BroadcastTo") && node.input(0)->type().IsTensor() ? Refusal(node, rewriter) : std::string();
}

Result<bool> BroadcastRemovePass::Run(Node& node, Rewriter& rewriter) {
  if (node.output()->unused() || !node.input(0)->type().IsTensor() || !Refusal(node, rewriter).empty()) return false;
  for (const Use& use : std::vector<Use>(node.output()->uses()))
    GE_RETURN_IF_ERROR(rewriter.graph().SetInput(use.user, use.index, node.input(0)));
  GE_RETURN_IF_ERROR(EraseIfOrphaned(node, rewriter));
  return true;
}

}  // namespace ge
