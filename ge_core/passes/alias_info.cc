#include "ge_core/passes/alias_info.h"

namespace ge {

bool AliasInfo::MayAliasInput(const Node& node, int i) {
  const OpDef& op = node.op();
  if (op.Has(kControlFlow)) return true;  // a subgraph may return what it was given
  if (op.Has(kView) || op.Has(kMutates)) return i == 0;
  return node.may_alias_inputs();
}

bool AliasInfo::MayWriteInput(const Node& node, int i) {
  const OpDef& op = node.op();
  if (op.Has(kSkeleton) || op.Has(kRandom)) return false;  // a random op writes the generator only
  if (op.Has(kMutates)) return i == 0;
  return !node.pure();
}

AliasInfo::AliasInfo(const Graph& graph) {
  flags_.reserve(graph.size());
  const Node* last = graph.first();
  while (last && last->next()) last = last->next();
  // Users come after producers in the list, so one sweep from the end sees every user first.
  for (const Node* n = last; n; n = n->prev()) {
    uint8_t outputs = 0;
    for (int o = 0; o < n->num_outputs(); ++o) outputs |= Flags(n->output(o));
    for (int i = 0; i < n->num_inputs(); ++i) {
      const Value* in = n->input(i);
      if (!in) continue;
      uint8_t flags = 0;
      if (n == graph.net_output()) flags |= kEscapes;
      if (MayWriteInput(*n, i)) flags |= kWritten;
      if (outputs && MayAliasInput(*n, i)) flags |= outputs;
      if (flags) flags_[in] |= flags;
    }
  }
}

}  // namespace ge
