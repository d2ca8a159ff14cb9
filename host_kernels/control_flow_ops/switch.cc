// Switch: a branch of data-flow control flow, in graphs from files. Passes resolve it; nothing here runs it.
#include "host_kernels/control_flow_ops/switch_infer.h"

namespace ge {

GE_DEFINE_OP(Switch)
    .Doc("data goes to output_true if pred is true, else to output_false; what reads the other output does not run.")
    .Input("data")
    .Input("pred", kBoolType)
    .Output("output_false")
    .Output("output_true")
    .Traits(kControlFlow | kNoFold)
    .Infer(InferSwitch);

}  // namespace ge
