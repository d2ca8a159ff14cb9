#include "ge_core/passes/cleanup/identity_remove_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

Forwarded Operand0(const Node& node) { return {node.input(0), {}}; }

Forwarded OfTensorMove(const Node& node) {
  const Attr format = node.attr("memory_format");
  const ValueType& x = node.input(0)->type();
  if (format.IsNone() || format == Attr("preserve_format")) return {node.input(0), {}};
  // Inference does not say what a format comes to; where the type names strides, or both are row-major, it is known.
  if (format == Attr("contiguous_format") ? IsRowMajor(x) : x.layout.kind == StorageLayout::Kind::kStrided) return {node.input(0), {}};
  return {nullptr, StrCat("it asks for the memory format ", ToString(format), ", its operand is ", ToString(x))};
}

// Training draws from the generator even where nothing is dropped.
Forwarded OfDropout(const Node& node) {
  if (node.attr("train") == Attr(false)) return {node.input(0), {}};
  return {nullptr, "it drops elements at random (train is not false)"};
}

// dst gives dtype, shape and strides, src the elements.
Forwarded OfCopyTo(const Node& node) { return {node.input(1), {}}; }

Forwarded OfTransData(const Node& node) {
  if (node.Str("src_format") == node.Str("dst_format")) return {node.input(0), {}};
  return {nullptr, "it permutes the axes"};
}

constexpr ForwardRow kRows[] = {
    {"Identity", Operand0},       {"StopGradient", Operand0},   {"PreventGradient", Operand0},
    {"Snapshot", Operand0},       {"GuaranteeConst", Operand0}, {"PlaceholderWithDefault", Operand0},
    {"ReFormat", Operand0},  // types differ where it writes another format on
    {"TensorMove", OfTensorMove}, {"Dropout", OfDropout},       {"CopyTo", OfCopyTo},
    {"TransData", OfTransData},
};

std::unique_ptr<NodePass> Make(const PassContext& c) { return std::make_unique<IdentityRemovePass>(c); }

}  // namespace

REG_PASS_OPTION(IdentityRemovePass)
    .Name("identity-remove")
    .Alias("IdentityPass")
    .Alias("StopGradientPass")
    .Alias("PreventGradientPass")
    .Alias("SnapshotPass")
    .Alias("GuaranteeConstPass")
    .Alias("DropOutPass")
    .Alias("PlaceholderWithDefaultPass")
    .Doc("Removes operators that hand a tensor on: identities, copies that nobody can tell, dropout in inference.")
    .Levels(OptLevel::kO1)
    .Node(&Make);

IdentityRemovePass::IdentityRemovePass(const PassContext& context) : ForwardOperandPass(kRows, context) {}

}  // namespace ge
