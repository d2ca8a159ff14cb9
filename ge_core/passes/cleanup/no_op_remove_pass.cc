#include "ge_core/passes/cleanup/no_op_remove_pass.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

Forwarded No(std::string_view why) { return {nullptr, std::string(why)}; }

// Operand i is absent, or a constant whose integers are all `number`.
bool AllAre(const Node& node, int i, int64_t number) {
  if (i >= node.num_inputs() || !node.input(i)) return true;
  const auto values = ConstInts(node.input(i));
  return values && std::all_of(values->begin(), values->end(), [&](int64_t v) { return v == number; });
}

// The operand, if its extents are those of the result. Of operators that only take elements away, or only add some, equal
// extents say that they did nothing.
Forwarded SameExtents(const Node& node) {
  const ValueType &x = node.input(0)->type(), &y = node.output()->type();
  if (HasUnknownExtent(x) || HasUnknownExtent(y)) return No("an extent of its operand or result is unknown");
  if (!x.IsTensor() || !SameLogicalType(x, y)) return No("its result has another shape than its operand");
  return {node.input(0), {}};
}

// From 0 on, as many elements as there are. An offset that is not constant could raise.
Forwarded OfSlice(const Node& node) {
  if (!AllAre(node, 1, 0)) return No("its offsets are not known to be 0");
  return SameExtents(node);
}
Forwarded OfSliceD(const Node& node) {
  for (int64_t v : node.Ints("offsets"))
    if (v != 0) return No("its offsets are not 0");
  return SameExtents(node);
}

// In steps of 1 only the whole axis has as many elements as the axis: bounds are clamped.
Forwarded OfStridedSlice(const Node& node) {
  for (std::string_view mask : {"ellipsis_mask", "new_axis_mask", "shrink_axis_mask"})
    if (node.Int(mask) != 0) return No(StrCat("attribute ", mask, " is set"));
  if (!AllAre(node, node.Is("StridedSlice") ? 3 : 4, 1)) return No("its steps are not known to be 1");
  return SameExtents(node);
}

Forwarded OfPad(const Node& node) {
  if (!AllAre(node, 1, 0)) return No("its paddings are not known to be 0");
  return {node.input(0), {}};
}

Forwarded OfTile(const Node& node) {
  if (!AllAre(node, 1, 1)) return No("its repetitions are not known to be 1");
  return {node.input(0), {}};
}

// All operands but one have no element.
Forwarded OfConcat(const Node& node) {
  Value* part = nullptr;
  for (Value* in : node.inputs()) {
    const Shape& shape = in->type().shape();
    if (std::any_of(shape.begin(), shape.end(), [](const Dim& d) { return d.Is(0); })) continue;
    if (part) return No("it joins several tensors");
    part = in;
  }
  return {part ? part : node.input(0), {}};
}

Forwarded OfSplit(const Node& node) {
  if (node.num_outputs() != 1) return No("it has several parts");
  return SameExtents(node);
}

Forwarded OfRoll(const Node& node) {
  for (int64_t v : node.Ints("shifts"))
    if (v != 0) return No("it shifts");
  return {node.input(0), {}};
}

Forwarded OfReverse(const Node& node) {
  const auto axes = ConstInts(node.input(1));
  if (!axes || !axes->empty()) return No("it reverses an axis");
  return {node.input(0), {}};
}

constexpr ForwardRow kRows[] = {
    {"Slice", OfSlice},
    {"SliceD", OfSliceD},
    {"StridedSlice", OfStridedSlice},
    {"StridedSliceV2", OfStridedSlice},
    {"BroadcastTo", SameExtents},
    {"PadV3", OfPad},
    {"Tile", OfTile},
    {"ConcatV2", OfConcat},
    {"SplitV", OfSplit},
    {"Roll", OfRoll},
    {"ReverseV2", OfReverse},
};

std::unique_ptr<NodePass> Make(const PassContext& c) { return std::make_unique<NoOpRemovePass>(c); }

}  // namespace

REG_PASS_OPTION(NoOpRemovePass)
    .Name("no-op-remove")
    .Doc("Removes slices over everything, paddings by nothing, tilings by one, joins of one tensor.")
    .Levels(OptLevel::kO1)
    .Node(&Make);

NoOpRemovePass::NoOpRemovePass(const PassContext& context) : ForwardOperandPass(kRows, context) {}

}  // namespace ge
