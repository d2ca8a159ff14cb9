#include "torch_backend/csrc/direct_call.h"

#include <ATen/core/grad_mode.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>

#include "torch_backend/csrc/compiled_model.h"

namespace ge::torch_backend {
namespace {

struct Example {
  at::ScalarType dtype;
  std::vector<int64_t> shape;
};

struct DirectState {
  py::object native;
  std::vector<at::Tensor> state;
  std::vector<Example> examples;  // one an input; used where `plain`
  bool plain = false;             // inputs are tensors only, positional, in no containers
  bool single = false;            // one output, returned as it is
};

struct PyDirect {
  PyObject_HEAD DirectState* impl;
};

DirectState& State(PyObject* self) { return *reinterpret_cast<PyDirect*>(self)->impl; }

PyObject* NewDirect(PyTypeObject* type, PyObject*, PyObject*) {
  PyObject* self = type->tp_alloc(type, 0);
  if (self) reinterpret_cast<PyDirect*>(self)->impl = new DirectState();
  return self;
}

void FreeDirect(PyObject* self) {
  delete reinterpret_cast<PyDirect*>(self)->impl;
  Py_TYPE(self)->tp_free(self);
}

// (native, state, examples, plain, single); see _C.pyi.
int InitDirect(PyObject* self, PyObject* args, PyObject*) {
  PyObject *native = nullptr, *state = nullptr, *examples = nullptr;
  int plain = 0, single = 0;
  if (!PyArg_ParseTuple(args, "OO!O!pp", &native, &PyList_Type, &state, &PyList_Type, &examples, &plain, &single)) return -1;
  try {
    if (!IsCompiled(native)) throw py::type_error("DirectCall: the first argument must be a CompiledModel");
    DirectState made;
    made.native = py::reinterpret_borrow<py::object>(native);
    made.single = single;
    made.plain = plain;
    const auto tensor = [](PyObject* o) -> const at::Tensor& {
      if (!THPVariable_Check(o)) throw py::type_error("DirectCall: state and examples must be tensors");
      return THPVariable_Unpack(o);
    };
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(state); ++i) made.state.push_back(tensor(PyList_GET_ITEM(state, i)));
    for (Py_ssize_t i = 0; plain && i < PyList_GET_SIZE(examples); ++i) {
      const at::Tensor& t = tensor(PyList_GET_ITEM(examples, i));
      made.examples.push_back({t.scalar_type(), t.sizes().vec()});
    }
    State(self) = std::move(made);
    return 0;
  } catch (py::error_already_set& e) { e.restore(); } catch (const std::exception& e) {
    PyErr_SetString(PyExc_TypeError, e.what());
  }
  return -1;
}

// The plain call. Whatever is unusual about the arguments goes to the Python method `_call`, which says what is wrong.
bool IsPlain(const DirectState& d, PyObject* args, PyObject* names) {
  if (!d.plain || (names && PyDict_GET_SIZE(names) != 0) || PyTuple_GET_SIZE(args) != static_cast<Py_ssize_t>(d.examples.size()))
    return false;
  for (size_t i = 0; i < d.examples.size(); ++i) {
    PyObject* item = PyTuple_GET_ITEM(args, static_cast<Py_ssize_t>(i));
    if (!THPVariable_CheckExact(item)) return false;
    const at::Tensor& t = THPVariable_Unpack(item);
    if (t.scalar_type() != d.examples[i].dtype || t.layout() != at::kStrided || t.sizes() != at::IntArrayRef(d.examples[i].shape))
      return false;
  }
  return true;
}

PyObject* CallPlain(PyObject* self, PyObject* args, PyObject* names) {
  HANDLE_TH_ERRORS
  DirectState& d = State(self);
  if (!d.native) {
    PyErr_SetString(PyExc_RuntimeError, "DirectCall: not initialised");
    return nullptr;
  }
  if (!IsPlain(d, args, names)) {
    const py::object slow = py::reinterpret_steal<py::object>(PyObject_GetAttrString(self, "_call"));
    return slow ? PyObject_Call(slow.ptr(), args, names) : nullptr;
  }
  const at::NoGradGuard no_grad;
  const auto* items = reinterpret_cast<PyTupleObject*>(args)->ob_item;
  return CallDirect(d.native.ptr(), d.state, {items, d.examples.size()}, d.single);
  END_HANDLE_TH_ERRORS
}

PyTypeObject kDirectType = {PyVarObject_HEAD_INIT(nullptr, 0)};  // filled by RegisterDirectCall

}  // namespace

void RegisterDirectCall(py::module_& m) {
  kDirectType.tp_name = "torch_ge._C.DirectCall";
  kDirectType.tp_basicsize = sizeof(PyDirect);
  kDirectType.tp_new = NewDirect;
  kDirectType.tp_init = InitDirect;
  kDirectType.tp_dealloc = FreeDirect;
  kDirectType.tp_call = CallPlain;
  kDirectType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE;
  kDirectType.tp_doc = "A compiled graph with its state. Called with the user's inputs; arguments that are not plain go to the method `_call`.";
  if (PyType_Ready(&kDirectType) != 0) throw py::error_already_set();
  m.add_object("DirectCall", py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&kDirectType)));
}

}  // namespace ge::torch_backend
