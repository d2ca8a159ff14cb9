// TransData: the same elements in the storage layout that the output type names: packed for weights (in the constant stage, once a
// weight set), another order of axes for activations (where layout-assignment put it).
#include "host_kernels/onednn/kernels.h"
#include "host_kernels/onednn/winograd.h"

namespace ge::onednn {
namespace {

Support Supports(const Product& p) {
  const Node& node = p.node();
  if (std::string why = CheckOperand(node, 0, false); !why.empty()) return Support::No("TransData: " + why);
  const ValueType& to = node.output()->type();
  if (to.layout.kind == StorageLayout::Kind::kPacked && !to.layout.packed.starts_with("onednn:"))
    return Support::No("TransData: the output layout is not one of oneDNN's: " + ToString(to));
  if (node.Str("src_format") != node.Str("dst_format")) return Support::No("TransData: permutes axes");
  if (std::string why = CheckType("output", to, true); !why.empty()) return Support::No("TransData: " + why);
  if (!SameLogicalType(node.input(0)->type(), to)) return Support::No("TransData: input and output differ in dtype or shape");
  return Support::Yes();
}

Result<std::unique_ptr<Executable>> Load(const Product& p) {
  const Node& node = p.node();
  auto program = std::make_unique<Program>();
  if (node.output()->type().layout.kind != StorageLayout::Kind::kPacked) {
    const int src = program->AddOperand(Program::Source::kInput, 0, DescOf(node.input(0)->type()));
    program->AddReorder(src, program->AddOperand(Program::Source::kOutput, 0, DescOf(node.output()->type())));
    return std::unique_ptr<Executable>(std::move(program));
  }
  GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(node.output()->type()));
  if (packed.view.winograd) return LoadWinogradFilter(node.input(0)->type(), packed);
  const int src = program->AddOperand(Program::Source::kInput, 0, ViewDesc(node.input(0)->type(), packed.view));
  const int dst = program->AddOperand(Program::Source::kOutput, 0, packed.desc);
  program->AddReorder(src, dst);
  return std::unique_ptr<Executable>(std::move(program));
}

}  // namespace

const OpRow kTransDataRow{"TransData", Supports, nullptr, Load, false};

}  // namespace ge::onednn
