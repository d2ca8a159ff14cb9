#pragma once
// The Python type torch_ge._C.CompiledModel: the callable that torch.compile itself calls. Boxed calling convention: one
// list argument, emptied by the call; returns a list.
#include "torch_backend/csrc/session.h"

namespace ge::torch_backend {

void RegisterCompiledModel(py::module_& m);
py::object WrapCompiled(std::unique_ptr<Compiled> compiled);

bool IsCompiled(PyObject* object);
// Calls a CompiledModel whose first inputs are `state` and whose others are `args`, without a list in between. Returns a new
// reference: the list of outputs, or (single) the only one itself. Throws what a call of the object would raise.
PyObject* CallDirect(PyObject* compiled, std::span<const at::Tensor> state, std::span<PyObject* const> args, bool single);

// Raises the Python exception that a Status stands for.
[[noreturn]] void ThrowStatus(const Status& status);

}  // namespace ge::torch_backend
