// TransData: packs a plain weight into the layout that its output type names. Runs in the constant stage, once a weight set.
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {
namespace {

Support Supports(const Node& node) {
  if (std::string why = CheckOperand(node, 0, false); !why.empty()) return Support::No("TransData: " + why);
  const ValueType& to = node.output()->type();
  if (to.layout.kind != StorageLayout::Kind::kPacked || !to.layout.packed.starts_with("onednn:")) {
    return Support::No("TransData: the output layout is not one of oneDNN's: " + ToString(to));
  }
  if (node.Str("src_format") != node.Str("dst_format")) return Support::No("TransData: permutes axes");
  if (std::string why = CheckType("output", to, true); !why.empty()) return Support::No("TransData: " + why);
  if (!SameLogicalType(node.input(0)->type(), to)) return Support::No("TransData: input and output differ in dtype or shape");
  return Support::Yes();
}

Result<std::unique_ptr<Executable>> Load(const Node& node) {
  GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(node.output()->type()));
  const ValueType& from = node.input(0)->type();
  Dims dims = StaticDims(from), strides = StaticStrides(from);
  if (packed.groups > 0) {
    const int64_t per_group = dims[0] / packed.groups;
    dims = SplitGroups(dims, packed.groups);
    strides.insert(strides.begin(), strides[0] * per_group);
  }
  auto program = std::make_unique<Program>();
  const int src = program->AddOperand(Program::Source::kInput, 0, PlainDesc(dims, strides));
  const int dst = program->AddOperand(Program::Source::kOutput, 0, packed.desc);
  program->AddReorder(src, dst);
  return std::unique_ptr<Executable>(std::move(program));
}

}  // namespace

const OpRow kTransDataRow{"TransData", Supports, nullptr, Load};

}  // namespace ge::onednn
