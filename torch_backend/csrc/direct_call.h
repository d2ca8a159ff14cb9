#pragma once
// The Python type torch_ge._C.DirectCall, base of torch_ge.DirectModel: a compiled graph together with its state (parameters
// and buffers), called with the user's inputs.
#include "torch_backend/csrc/session.h"

namespace ge::torch_backend {

void RegisterDirectCall(py::module_& m);

}  // namespace ge::torch_backend
