// AtenCall: fallback (a), any operator overload run through the PyTorch dispatcher.
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(AtenCall)
    .Doc(
        "Calls overload `op` (\"aten::cumsum\", \"aten::add.out\") with `args`, a list in schema order in which $i stands for "
        "input i. List results are flattened; None results are opaque. `pure`: no effect, deterministic; `alias`: a result may "
        "share memory with an input.")
    .OptionalVariadicInput("x")
    .VariadicOutput("y")
    .Required("op", AttrKind::kString)
    .Required("args", AttrKind::kAny)
    .Bool("pure", false)
    .Bool("alias", true);

}  // namespace ge
