// PartitionedCall: runs a subgraph (torch invoke_subgraph).
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(PartitionedCall)
    .Doc("Runs subgraph `f` on the inputs.")
    .OptionalVariadicInput("args")
    .VariadicOutput("output")
    .Required("f", AttrKind::kGraph)
    .Bool("pure", false)
    .Traits(kControlFlow | kNoFold);

}  // namespace ge
