// RefSwitch: a branch of data-flow control flow, in graphs from files. Passes resolve it; nothing here runs it.
#include "host_kernels/control_flow_ops/switch_infer.h"

namespace ge {

GE_DEFINE_OP(RefSwitch)
    .Doc("As Switch, for data that is a reference to a variable.")
    .Input("data")
    .Input("pred", kBoolType)
    .Output("output_false")
    .Output("output_true")
    .Traits(kControlFlow | kNoFold)
    .Infer(InferSwitch);

}  // namespace ge
