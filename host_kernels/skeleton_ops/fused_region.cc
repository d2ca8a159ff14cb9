// FusedRegion: a region formed by autofuse, compiled by one engine as one task.
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(FusedRegion)
    .Doc("The nodes of subgraph `body`, run as one task. Pure: only pure nodes are fused.")
    .VariadicInput("x")
    .VariadicOutput("y")
    .Required("body", AttrKind::kGraph)
    .Traits(kNoFold);

}  // namespace ge
