// While: repeats a subgraph (torch.while_loop).
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(While)
    .Doc(
        "While cond(carried, extra) is true, carried = body(carried, extra). The first `num_carried` inputs are carried; the rest are "
        "passed to both subgraphs unchanged. Outputs are the carried values at the end.")
    .OptionalVariadicInput("input")
    .VariadicOutput("output")
    .Required("cond", AttrKind::kGraph)
    .Required("body", AttrKind::kGraph)
    .Required("num_carried", AttrKind::kInt)
    .Bool("pure", false)
    .Traits(kControlFlow | kNoFold);

}  // namespace ge
