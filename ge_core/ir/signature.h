#pragma once
// What an OpDef demands of a node, checked by Graph::Create (first violation) and by the verifier (all of them).
#include <span>

#include "ge_core/ir/graph.h"

namespace ge {

struct SignatureError {
  enum class What : uint8_t { kArity, kDType, kAttr };
  What what;
  std::string message;  // "has 1 inputs, expected 2"
};

// Arity, dtypes of the input ports, attributes: presence and kind. Attributes that start with '_' are marks of passes
// and frameworks, which any node may carry.
std::vector<SignatureError> SignatureErrors(const OpDef& op, std::span<Value* const> inputs, const AttrMap& attrs);

// `given` may refine what was inferred, not contradict it.
bool CompatibleType(const ValueType& inferred, const ValueType& given);

}  // namespace ge
