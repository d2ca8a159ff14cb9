#include "ge_core/passes/subgraph/predicate.h"

namespace ge {

bool MayBeWrittenByOthers(const Value& value, const Node& node, const AliasInfo& aliases) {
  for (const Use& use : value.uses()) {
    const Node& user = *use.user;
    if (&user == &node) continue;
    const bool is_predicate = user.op().Has(kControlFlow) && (user.Is("If") ? use.index == 0 : user.Is("Switch") && use.index == 1);
    if (is_predicate) continue;
    if (AliasInfo::MayWriteInput(user, use.index)) return true;
    if (!AliasInfo::MayAliasInput(user, use.index)) continue;
    for (int o = 0; o < user.num_outputs(); ++o)
      if (aliases.MayBeWritten(user.output(o))) return true;
  }
  return false;
}

std::optional<bool> ConstPredicate(const Value* value, const Node& reader, const AliasInfo& aliases) {
  const Tensor* t = value ? value->producer()->const_value() : nullptr;
  if (!t || !t->defined() || t->dtype() != DType::kBool || t->num_elements() != 1) return std::nullopt;
  if (MayBeWrittenByOthers(*value, reader, aliases)) return std::nullopt;
  return *t->data<uint8_t>() != 0;
}

}  // namespace ge
