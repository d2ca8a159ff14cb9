#pragma once
// What the kernels of our own engines ask of an operand.
#include "ge_core/base/str.h"
#include "ge_core/ir/graph.h"

namespace ge {

// A static, non-empty tensor of `dtype` on the device, in any strides. Empty string: fine; else why not.
inline std::string CheckTensor(std::string_view what, const Value* value, DType dtype) {
  if (!value) return StrCat(what, " is absent");
  const ValueType& t = value->type();
  if (!t.IsTensor() || t.dtype() != dtype) return StrCat(what, " is ", ToString(t), "; expected ", Name(dtype));
  if (!t.IsStatic()) return StrCat(what, " has a dynamic shape: ", ToString(t));
  if (t.StaticNumElements() == 0) return StrCat(what, " is empty: ", ToString(t));
  if (t.layout.kind == StorageLayout::Kind::kPacked) return StrCat(what, " is packed: ", ToString(t));
  for (const Dim& s : t.layout.strides)
    if (!s.IsConst()) return StrCat(what, " has symbolic strides: ", ToString(t));
  return {};
}

// The same, stored row by row without gaps.
inline std::string CheckRows(std::string_view what, const Value* value, DType dtype) {
  if (std::string why = CheckTensor(what, value, dtype); !why.empty()) return why;
  const ValueType& t = value->type();
  const std::vector<Dim> have = t.Strides(), want = t.ContiguousStrides();
  for (size_t i = 0; i < have.size(); ++i)
    if (!t.shape()[i].Is(1) && have[i] != want[i]) return StrCat(what, " is not stored row by row: ", ToString(t));
  return {};
}

}  // namespace ge
