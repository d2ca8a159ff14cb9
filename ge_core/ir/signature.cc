#include "ge_core/ir/signature.h"

#include <algorithm>

#include "ge_core/base/str.h"

namespace ge {
namespace {

bool AttrFits(AttrKind kind, const Attr& a) {
  switch (kind) {
    case AttrKind::kBool: return a.Is<bool>();
    case AttrKind::kInt: return a.Is<int64_t>();
    case AttrKind::kFloat: return a.Is<double>() || a.Is<int64_t>();
    case AttrKind::kString: return a.Is<std::string>();
    case AttrKind::kType: return a.Is<DType>();
    case AttrKind::kInts: return a.AsInts().has_value();
    case AttrKind::kScalar: return a.Is<bool>() || a.Is<int64_t>() || a.Is<double>() || a.Is<std::complex<double>>();
    case AttrKind::kTensor: return a.Is<Tensor>();
    case AttrKind::kGraph: return a.Is<Attr::GraphRef>();
    case AttrKind::kAny: return true;
  }
  return false;
}

}  // namespace

std::vector<SignatureError> SignatureErrors(const OpDef& op, std::span<Value* const> inputs, const AttrMap& attrs) {
  using What = SignatureError::What;
  std::vector<SignatureError> errors;
  int required = 0;
  bool variadic = false;
  for (int i = 0; i < op.num_inputs; ++i) {
    const Port& p = op.inputs[static_cast<size_t>(i)];
    variadic |= p.variadic;
    if (!p.optional && !p.variadic) required = i + 1;
  }
  const int n = static_cast<int>(inputs.size());
  if (n < required || (!variadic && n > op.num_inputs)) {
    errors.push_back({What::kArity, StrCat("has ", n, " inputs, expected ", required,
                                           variadic                    ? " or more"
                                           : op.num_inputs != required ? StrCat(" to ", int{op.num_inputs})
                                                                       : "")});
  } else {
    for (int i = 0; i < n; ++i) {
      const Port& p = op.inputs[static_cast<size_t>(std::min<int>(i, op.num_inputs - 1))];
      const Value* v = inputs[static_cast<size_t>(i)];
      if (!v) {
        if (!p.optional) errors.push_back({What::kArity, StrCat("input ", i, " (", p.name, ") is missing")});
      } else if (v->type().IsTensor() && !p.types.Has(v->type().dtype())) {
        errors.push_back({What::kDType, StrCat("input ", i, " (", p.name, ") has dtype ", Name(v->type().dtype()),
                                               ", which the operator does not take")});
      }
    }
  }
  for (const auto& [name, value] : attrs) {
    if (name.starts_with('_') || name == "no_need_constant_folding") continue;  // the one documented mark without '_'
    const AttrDef* def = op.FindAttr(name);
    if (!def)
      errors.push_back({What::kAttr, StrCat("has no attribute '", name, "'")});
    else if (value.IsNone() ? def->required && def->kind != AttrKind::kAny : !AttrFits(def->kind, value))
      errors.push_back({What::kAttr, StrCat("attribute '", name, "' = ", ToString(value), " has the wrong type")});
  }
  for (int i = 0; i < op.num_attrs; ++i) {
    const AttrDef& def = op.attrs[static_cast<size_t>(i)];
    if (def.required && !attrs.Find(def.name)) errors.push_back({What::kAttr, StrCat("attribute '", def.name, "' is missing")});
  }
  return errors;
}

bool CompatibleType(const ValueType& inferred, const ValueType& given) {
  if (inferred.kind() != given.kind()) return false;
  if (!inferred.IsTensor()) return true;
  if (inferred.dtype() != given.dtype() || inferred.rank() != given.rank()) return false;
  for (size_t i = 0; i < inferred.shape().size(); ++i)
    if (CertainlyDifferent(inferred.shape()[i], given.shape()[i])) return false;
  return true;
}

}  // namespace ge
