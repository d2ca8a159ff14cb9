#pragma once
// Predicates of control flow that are constants.
#include <optional>

#include "ge_core/passes/rewriter.h"

namespace ge {

// The one bool that `value`, the predicate of `reader`, always holds; nullopt where it is no constant, or another node may
// write it.
GE_API std::optional<bool> ConstPredicate(const Value* value, const Node& reader, const AliasInfo& aliases);

// Whether a node other than `node` may write the memory of `value`. AliasInfo::MayBeWritten alone says yes for every
// operand of a node with effects, and control flow has effects unless it says otherwise.
GE_API bool MayBeWrittenByOthers(const Value& value, const Node& node, const AliasInfo& aliases);

}  // namespace ge
