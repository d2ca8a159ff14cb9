#pragma once
// Symbolic broadcasting of element-wise operands.
#include <span>

#include "ge_core/base/str.h"
#include "ge_core/ir/type.h"

namespace ge::elewise {

// One extent of a broadcast result. A 1 gives way to anything and equal expressions stay; known extents that differ are
// what PyTorch refuses. A symbol against another extent is decided at run time only: Unimplemented, so that no engine has
// to guess whether the axis is repeated.
inline Result<Dim> BroadcastDim(const Dim& a, const Dim& b) {
  if (a.Is(1)) return b;
  if (b.Is(1) || (a == b && !a.IsUnknown())) return a;
  if (CertainlyDifferent(a, b))
    return InvalidArgument(
        StrCat("shapes do not broadcast: extent ", a.ToString(), " meets ", b.ToString(), ", expected equal extents or a 1"));
  return Unimplemented(StrCat("whether extent ", a.ToString(), " equals ", b.ToString(), " is known at run time only"));
}

// Shapes are aligned at their last axis; a missing axis counts as 1.
inline Result<Shape> Broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape out = longer;
  const size_t skip = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) { GE_ASSIGN_OR_RETURN(out[skip + i], BroadcastDim(longer[skip + i], shorter[i])); }
  return out;
}

}  // namespace ge::elewise
