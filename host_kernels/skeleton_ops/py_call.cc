// PyCall: fallback (b), a Python callable of the importing session.
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(PyCall)
    .Doc(
        "Calls entry `callable` of the session's table under the GIL with the inputs as positional arguments; the flat list it "
        "returns becomes the outputs. `target` names it for reports. Cannot be exported.")
    .OptionalVariadicInput("x")
    .VariadicOutput("y")
    .Required("callable", AttrKind::kInt)
    .Required("target", AttrKind::kString)
    .Traits(kImpure | kView | kNoFold);

}  // namespace ge
