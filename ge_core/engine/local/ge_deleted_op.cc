#include "ge_core/engine/local/ge_deleted_op.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/engine/local/names.h"
#include "ge_core/engine/local/open_shape.h"

namespace ge::local {
namespace {

struct DeletedRow {
  std::string_view type;
  std::string_view pass;        // that removes it; empty: none does
  std::string_view no_meaning;  // why the host cannot run it, and what to do; empty: it can
};

constexpr DeletedRow kDeleted[] = {
    {"TemporaryVariable", "", "it stands for a variable of a TensorFlow session; make the variable an input of the graph"},
    {"DestroyTemporaryVariable", "", "it stands for a variable of a TensorFlow session; make the variable an input of the graph"},
    {"GuaranteeConst", "identity-remove", ""},
    {"PreventGradient", "identity-remove", ""},
    {"StopGradient", "identity-remove", ""},
    {"Size", "dimension-compute", ""},
    {"Shape", "dimension-compute", ""},
    {"ShapeN", "dimension-compute", ""},
    {"Rank", "dimension-compute", ""},
    {"_Retval", "", "it is a result of a TensorFlow function; make it an operand of NetOutput"},
    {"ReadVariableOp", "", "it stands for a variable of a TensorFlow session; make the variable an input of the graph"},
    {"VarHandleOp", "", "it stands for a variable of a TensorFlow session; make the variable an input of the graph"},
    {"VarIsInitializedOp", "", "it stands for a variable of a TensorFlow session; make the variable an input of the graph"},
    {"Snapshot", "identity-remove", ""},
    {"RefIdentity", "", "it stands for a variable of a TensorFlow session; make the variable an input of the graph"},
    {"Identity", "identity-remove", ""},
    {"IdentityN", "identity-remove", ""},
    {"VariableV2", "", "it stands for a variable of a TensorFlow session; make the variable an input of the graph"},
    {"Empty", "constant-folding", ""},
    {"PlaceholderWithDefault", "identity-remove", ""},
    {"IsVariableInitialized", "", "it stands for a variable of a TensorFlow session; make the variable an input of the graph"},
    {"PlaceholderV2", "", "it is an input that was never fed; make it a Data node"},
    {"Placeholder", "", "it is an input that was never fed; make it a Data node"},
    {"End", "", "it is a mark between two halves of a split graph; join the halves"},
    {"Switch", "switch-dead-branch-elimination", "its predicate is not constant; write the branch as If"},
    {"RefMerge", "merge-remove", "it joins branches of a Switch on references; write the branch as If"},
    {"RefSwitch", "switch-dead-branch-elimination", "its predicate is not constant; write the branch as If"},
    {"TransShape", "", "it converts a shape between formats of the device, which the host does not have"},
    {"GatherShapes", "dimension-compute", ""},
};

constexpr OpCreator kDeletedOpRows[] = {
    REGISTER_OP_CREATOR(TemporaryVariable, GeDeletedOp),
    REGISTER_OP_CREATOR(DestroyTemporaryVariable, GeDeletedOp),
    REGISTER_OP_CREATOR(GuaranteeConst, GeDeletedOp),
    REGISTER_OP_CREATOR(PreventGradient, GeDeletedOp),
    REGISTER_OP_CREATOR(StopGradient, GeDeletedOp),
    REGISTER_OP_CREATOR(Size, GeDeletedOp),
    REGISTER_OP_CREATOR(Shape, GeDeletedOp),
    REGISTER_OP_CREATOR(ShapeN, GeDeletedOp),
    REGISTER_OP_CREATOR(Rank, GeDeletedOp),
    REGISTER_OP_CREATOR(_Retval, GeDeletedOp),
    REGISTER_OP_CREATOR(ReadVariableOp, GeDeletedOp),
    REGISTER_OP_CREATOR(VarHandleOp, GeDeletedOp),
    REGISTER_OP_CREATOR(VarIsInitializedOp, GeDeletedOp),
    REGISTER_OP_CREATOR(Snapshot, GeDeletedOp),
    REGISTER_OP_CREATOR(RefIdentity, GeDeletedOp),
    REGISTER_OP_CREATOR(Identity, GeDeletedOp),
    REGISTER_OP_CREATOR(IdentityN, GeDeletedOp),
    REGISTER_OP_CREATOR(VariableV2, GeDeletedOp),
    REGISTER_OP_CREATOR(Empty, GeDeletedOp),
    REGISTER_OP_CREATOR(PlaceholderWithDefault, GeDeletedOp),
    REGISTER_OP_CREATOR(IsVariableInitialized, GeDeletedOp),
    REGISTER_OP_CREATOR(PlaceholderV2, GeDeletedOp),
    REGISTER_OP_CREATOR(Placeholder, GeDeletedOp),
    REGISTER_OP_CREATOR(End, GeDeletedOp),
    REGISTER_OP_CREATOR(Switch, GeDeletedOp),
    REGISTER_OP_CREATOR(RefMerge, GeDeletedOp),
    REGISTER_OP_CREATOR(RefSwitch, GeDeletedOp),
    REGISTER_OP_CREATOR(TransShape, GeDeletedOp),
    REGISTER_OP_CREATOR(GatherShapes, GeDeletedOp),
};

std::string Describe(const Node& node) {
  return StrCat(node.op().name, " '", node.name(), "'", node.loc().empty() ? "" : StrCat(" (", node.loc(), ")"));
}

std::string DescribeState(std::string_view pass, const PassState& state) {
  if (!state.known) return StrCat("pass '", pass, "' removes it, which is not part of this program");
  std::string out = StrCat("pass '", pass, "' removes it, which is ", state.on ? "on" : "off", " (", state.gate, ")");
  if (state.on) out += state.reason.empty() ? " but left it without a reason" : StrCat(" and left it: ", state.reason);
  return out;
}

}  // namespace

std::span<const OpCreator> GeDeletedOpCreators() { return kDeletedOpRows; }

Status GeDeletedOp::Run(const Node& node, TaskContext& context) const {
  const auto row = std::ranges::find(kDeleted, node.op().name, &DeletedRow::type);
  if (row == std::end(kDeleted)) return Internal(StrCat(node.op().name, " has no row in the table of operators that passes remove"));
  const PassState state = row->pass.empty() ? PassState{} : context.StateOf(row->pass, node);
  if (!row->no_meaning.empty())
    return Unimplemented(StrCat(Describe(node), " reached ", kEngineName, ", and nothing on the host runs it: ", row->no_meaning,
                                row->pass.empty() ? "" : StrCat(". Where the answer is known, ", DescribeState(row->pass, state))));
  if (row->pass == "dimension-compute" && HasOpenShape(node)) {
    context.HandOn("a shape is open: computed on the host at run time");
    return {};
  }
  const std::string facts = DescribeState(row->pass, state);
  const bool excused = !state.known || !state.on || !state.reason.empty();
  const bool strict = context.OptionValue("ge.local.strict") == "true";
  if (excused && !strict) {
    context.HandOn(facts);
    return {};
  }
  const std::string advice =
      excused ? ". ge.local.strict = true makes this an error; with 'false' another engine runs the node"
              : StrCat(". This is a fault of the pass: please report it with the graph. Until then switch the pass off, ",
                       "ge.disableOptimizations = '", row->pass, "', and another engine runs the node");
  return FailedPrecondition(StrCat(Describe(node), " reached ", kEngineName, "; expected: removed before placement, because ", facts, advice));
}

}  // namespace ge::local
