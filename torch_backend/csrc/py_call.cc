#include "torch_backend/csrc/py_call.h"

#include <torch/csrc/autograd/python_variable.h>

#include "ge_core/base/str.h"
#include "host_kernels/aten/tensor_slot.h"

namespace py = pybind11;

namespace ge::torch_backend {
namespace {

const Holder::Ops kPythonOps = {
    [](void* object) {
      py::gil_scoped_acquire gil;
      Py_INCREF(static_cast<PyObject*>(object));
    },
    [](void* object) {
      if (!Py_IsInitialized()) return;
      py::gil_scoped_acquire gil;
      Py_DECREF(static_cast<PyObject*>(object));
    },
};

class PyExecutable final : public Executable {
 public:
  PyExecutable(py::object callable, std::string where) : callable_(std::move(callable)), where_(std::move(where)) {}
  ~PyExecutable() override {
    if (!Py_IsInitialized()) {
      callable_.release();
      return;
    }
    py::gil_scoped_acquire gil;
    callable_ = py::object();
  }

  Status Run(KernelContext& context) const override {
    py::gil_scoped_acquire gil;
    try {
      py::tuple args(context.inputs.size());
      for (size_t i = 0; i < context.inputs.size(); ++i)
        args[i] = context.inputs[i] ? py::reinterpret_steal<py::object>(GetObject(*context.inputs[i])) : py::none();
      const py::list results = callable_(*args);
      if (results.size() != context.outputs.size())
        return Internal(StrCat(where_, " returned ", results.size(), " values, ", context.outputs.size(), " expected"));
      for (size_t i = 0; i < results.size(); ++i) PutObject(*context.outputs[i], py::object(results[i]).ptr());
      return {};
    } catch (...) {
      *context.exception = std::current_exception();
      return Status(Code::kForeign, where_);
    }
  }

 private:
  py::object callable_;
  std::string where_;
};

}  // namespace

void PutObject(Slot& slot, PyObject* object) {
  if (THPVariable_Check(object)) {
    aten::PutTensor(slot, THPVariable_Unpack(object));
    return;
  }
  slot.planned = false;
  slot.object.reset();
  slot.data = nullptr;
  slot.kind = ValueType::Kind::kSym;
  if (PyBool_Check(object)) {
    slot.dtype = DType::kBool;
    slot.sym.b = object == Py_True;
  } else if (PyLong_Check(object)) {
    slot.dtype = DType::kI64;
    slot.sym.i = PyLong_AsLongLong(object);
    if (slot.sym.i == -1 && PyErr_Occurred()) throw py::error_already_set();
  } else if (PyFloat_Check(object)) {
    slot.dtype = DType::kF64;
    slot.sym.f = PyFloat_AS_DOUBLE(object);
  } else {
    slot.kind = ValueType::Kind::kOpaque;
    if (object == Py_None) return;
    Py_INCREF(object);
    slot.object = Holder(object, &kPythonOps);
  }
}

PyObject* GetObject(Slot& slot) {
  if (slot.kind == ValueType::Kind::kSym) {
    if (slot.dtype == DType::kBool) return PyBool_FromLong(slot.sym.b);
    if (slot.dtype == DType::kF64) return PyFloat_FromDouble(slot.sym.f);
    return PyLong_FromLongLong(slot.sym.i);
  }
  if (slot.object && slot.object.ops() == &kPythonOps) {
    Py_INCREF(static_cast<PyObject*>(slot.object.get()));
    return static_cast<PyObject*>(slot.object.get());
  }
  if (!slot.object && slot.kind == ValueType::Kind::kOpaque) Py_RETURN_NONE;
  return THPVariable_Wrap(aten::GetTensor(slot));
}

Result<std::unique_ptr<Executable>> PyCallEngine::Load(const Node& node) const {
  const int64_t index = node.Int("callable");
  if (index < 0 || index >= static_cast<int64_t>(callables_.size()))
    return InvalidArgument(StrCat("PyCall '", node.name(), "' names callable ", index, ", there are ", callables_.size()));
  return std::unique_ptr<Executable>(std::make_unique<PyExecutable>(
      callables_[static_cast<size_t>(index)], StrCat("PyCall '", node.name(), "' (", node.Str("target"), ") ", node.loc())));
}

}  // namespace ge::torch_backend
