#include "ge_core/ir/reference.h"

namespace ge {

bool IsReference(const Node& node) { return node.attrs().Bool(kReferenceMark, false); }

bool WritesOperand0(const Node& node) { return node.op().Has(kMutates) || IsReference(node); }

Support AskEngine(const Engine& engine, const Node& node) {
  if (IsReference(node) && !engine.allocates_outputs()) return Support::No("writes results into planned memory, not into the operand");
  return engine.Supports(node);
}

}  // namespace ge
