// Data: an input of a graph. `weight` marks a parameter or buffer that inference may treat as constant per weight set.
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(Data)
    .Doc("Graph input number `index`. `weight`: the caller passes a parameter or buffer that this graph does not write.")
    .Output("y")
    .Required("index", AttrKind::kInt)
    .Bool("weight", false)
    .Traits(kSkeleton | kImpure | kNoFold);

}  // namespace ge
