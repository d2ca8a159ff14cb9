// Const: a constant tensor.
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(Const)
    .Doc("A constant. `value` holds the data; `elided` names a constant whose data was left out of a text dump.")
    .Output("y")
    .Optional("value", AttrKind::kTensor)
    .Optional("elided", AttrKind::kString)
    .Traits(kSkeleton | kNoFold);

}  // namespace ge
