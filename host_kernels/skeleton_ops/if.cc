// If: runs one of two subgraphs (torch.cond).
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(If)
    .Doc("Runs `then_branch` if `cond` (a bool tensor of one element, or a sym bool) is true, else `else_branch`, on `input`.")
    .Input("cond")
    .OptionalVariadicInput("input")
    .VariadicOutput("output")
    .Required("then_branch", AttrKind::kGraph)
    .Required("else_branch", AttrKind::kGraph)
    .Bool("pure", false)
    .Traits(kControlFlow | kNoFold);

}  // namespace ge
