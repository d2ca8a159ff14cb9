#pragma once
// The Python type torch_ge._C.CompiledModel: the callable that torch.compile itself calls. Boxed calling convention: one
// list argument, emptied by the call; returns a list.
#include "torch_backend/csrc/session.h"

namespace ge::torch_backend {

void RegisterCompiledModel(py::module_& m);
py::object WrapCompiled(std::unique_ptr<Compiled> compiled);

// Raises the Python exception that a Status stands for.
[[noreturn]] void ThrowStatus(const Status& status);

}  // namespace ge::torch_backend
