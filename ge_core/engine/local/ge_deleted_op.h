#pragma once
// GeDeletedOp: operators that passes remove. One that arrives here all the same is a fault of a pass, or the wish of a user who
// switched the pass off; silence would hide the first, so the compile fails and names the pass, the option that gates it and its
// value. Left to the engines after this one, with the reason in the report, are
//   - operators of shapes (Shape, Rank, ...) where a shape is open: they run on the host,
//   - nodes whose pass is off, is not part of this program, or says why it leaves the node,
// the last group not under ge.local.strict. Operators without a meaning on the host (Switch, VarHandleOp, ...) always fail.
#include "ge_core/engine/local/op_factory.h"

namespace ge::local {

class GeDeletedOp final : public Op {
 public:
  Status Run(const Node& node, TaskContext& context) const override;
};

}  // namespace ge::local
