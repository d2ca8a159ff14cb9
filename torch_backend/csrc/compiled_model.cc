#include "torch_backend/csrc/compiled_model.h"

#include <ATen/Parallel.h>
#include <torch/csrc/Exceptions.h>
#include <torch/csrc/autograd/python_variable.h>

#include "ge_core/base/str.h"
#include "ge_core/ir/text.h"
#include "host_kernels/aten/tensor_slot.h"
#include "torch_backend/csrc/task_observers.h"
#include "torch_backend/csrc/torch_host.h"

namespace ge::torch_backend {
namespace {

struct PyCompiled {
  PyObject_HEAD vectorcallfunc vectorcall;
  Compiled* impl;
  PyObject* weak_references;
};

// The graph was compiled for these types. AOTAutograd passes None for an input that only its metadata has, and in training
// (not strict) a tangent or saved tensor of another dtype than it announced; a kernel of ours checks what it reads itself.
bool Fits(const ValueType& type, const Slot& s, PyObject* object, bool strict) {
  if (type.IsOpaque() || object == Py_None) return true;
  if (s.kind != type.kind()) return false;
  if (!type.IsTensor() || !strict) return true;
  if (s.dtype != type.dtype() || s.ndim != static_cast<int32_t>(type.rank()) || !s.sizes) return false;
  if (!s.strides) {  // not plain memory: a conjugate view is fine, another layout or device is not
    const at::Tensor& t = THPVariable_Unpack(object);
    if (t.layout() != at::kStrided || !t.device().is_cpu()) return false;
  }
  for (size_t d = 0; d < type.shape().size(); ++d)
    if (type.shape()[d].IsConst() && type.shape()[d].value() != s.sizes[d]) return false;
  return true;
}

// Dynamo announces a Python number that a model draws at each call (random.random()) as a float32 tensor without axes, and passes
// a float64 one. Converts it; false if that is not what happened.
bool ConvertNumber(const ValueType& type, Slot& s, PyObject* object) {
  if (!type.IsTensor() || type.rank() != 0 || s.kind != ValueType::Kind::kTensor || s.ndim != 0 || !s.data) return false;
  if (type.dtype() != DType::kF32 || s.dtype != DType::kF64) return false;
  aten::PutTensor(s, THPVariable_Unpack(object).to(at::kFloat));
  return true;
}

// The same for a weight, whose type is a tensor of static shape.
bool Fits(const ValueType& type, const at::Tensor& t) {
  if (aten::FromScalarType(t.scalar_type()) != type.dtype() || t.layout() != at::kStrided || !t.device().is_cpu()) return false;
  const int64_t rank = static_cast<int64_t>(type.rank());
  if (t.dim() != rank) return false;
  for (int64_t d = 0; d < rank; ++d)
    if (type.shape()[static_cast<size_t>(d)].value() != t.size(d)) return false;
  return true;
}

std::string Describe(const at::Tensor& t) {
  std::string out = StrCat(c10::toString(t.scalar_type()), "[");
  for (int64_t d = 0; d < t.dim(); ++d) out += StrCat(d ? "," : "", t.size(d));
  out += "]";
  if (t.layout() != at::kStrided) out += StrCat(" of layout ", c10::str(t.layout()));
  if (!t.device().is_cpu()) out += StrCat(" on ", t.device().str());
  return out;
}

std::string Describe(PyObject* object) {
  return THPVariable_Check(object) ? Describe(THPVariable_Unpack(object)) : StrCat("a Python ", Py_TYPE(object)->tp_name);
}

Status WrongInput(int index, const ValueType& type, const std::string& found) {
  return InvalidArgument(StrCat("input ", index, " of the compiled graph: expected ", ToString(type), ", got ", found));
}

// What is made from a tensor holds its memory: it goes when the tensor goes.
void WatchForDeath(Compiled& c, const std::vector<at::Tensor>& weights) {
  for (const at::Tensor& t : weights) {
    const py::int_ key(reinterpret_cast<uintptr_t>(t.unsafeGetTensorImpl()));
    if (c.weight_watchers.contains(key)) continue;
    const py::object object = py::reinterpret_steal<py::object>(THPVariable_Wrap(t));
    // The callback lives in c.weight_watchers, so not longer than `c`.
    const py::cpp_function forget([model = &c, tensor = t.unsafeGetTensorImpl(), key](const py::handle&) {
      model->weights->Forget(tensor);
      model->weight_watchers.attr("pop")(key, py::none());
    });
    c.weight_watchers[key] = py::weakref(object, forget);
  }
}

// Gives the run what the call itself reads of the weights.
template <class GetTensor>
void PutWeights(const Compiled& c, const BoundWeights& bound, const GetTensor& tensor, std::vector<Slot>& inputs) {
  const GraphPlan& plan = c.plan->entry();
  for (size_t k = 0; k < plan.weight_inputs.size(); ++k) {
    if (plan.weight_uses[k] == WeightUse::kStageOnly) continue;
    Slot& s = inputs[static_cast<size_t>(plan.weight_inputs[k])];
    const at::Tensor& reader = bound.readers[k];
    // What may be returned must be the tensor itself.
    if (!reader.defined() || plan.weight_uses[k] == WeightUse::kMayReturn) aten::PutTensor(s, tensor(k));
    if (!reader.defined()) continue;
    s.kind = ValueType::Kind::kTensor;
    s.dtype = plan.values[static_cast<size_t>(plan.inputs[static_cast<size_t>(plan.weight_inputs[k])])].value->type().dtype();
    s.ndim = static_cast<int32_t>(reader.dim());
    s.sizes = reader.sizes().data();
    s.strides = reader.strides().data();
    s.data = const_cast<void*>(reader.const_data_ptr());
    if (!s.object) s.object = Holder(at::Tensor(reader).unsafeReleaseTensorImpl(), &aten::kTensorOps);
  }
}

// What one call is given: slots by input number, those of weights empty, and the weights, borrowed.
struct CallInputs {
  std::vector<Slot> slots;
  std::vector<const at::Tensor*> weights;
};

const ValueType& TypeOfInput(const Compiled& c, int i) {
  const GraphPlan& plan = c.plan->entry();
  return plan.values[static_cast<size_t>(plan.inputs[static_cast<size_t>(i)])].value->type();
}

CallInputs ReadList(const Compiled& c, PyObject* list) {
  const Py_ssize_t n = PyList_GET_SIZE(list);
  const GraphPlan& plan = c.plan->entry();
  if (static_cast<size_t>(n) != plan.inputs.size())
    ThrowStatus(InvalidArgument(StrCat("the compiled graph takes ", plan.inputs.size(), " inputs, ", n, " were given")));
  CallInputs call;
  call.slots.resize(static_cast<size_t>(n));
  call.weights.reserve(plan.weight_inputs.size());
  for (int i = 0; i < n; ++i) {
    PyObject* item = PyList_GET_ITEM(list, i);
    if (call.weights.size() < plan.weight_inputs.size() && plan.weight_inputs[call.weights.size()] == i) {
      if (!THPVariable_Check(item)) ThrowStatus(WrongInput(i, TypeOfInput(c, i), Describe(item)));
      call.weights.push_back(&THPVariable_Unpack(item));
      continue;
    }
    Slot& s = call.slots[static_cast<size_t>(i)];
    PutObject(s, item);
    if (!Fits(TypeOfInput(c, i), s, item, c.strict_inputs) && !ConvertNumber(TypeOfInput(c, i), s, item))
      ThrowStatus(WrongInput(i, TypeOfInput(c, i), Describe(item)));
  }
  return call;
}

// One call. `let_go` is called when nothing borrowed is needed any more: a list of inputs can be emptied, so that an input is
// released after its last use.
template <class LetGo>
std::vector<Slot> Run(Compiled& c, CallInputs call, LetGo&& let_go) {
  const GraphPlan& plan = c.plan->entry();
  std::shared_ptr<const BoundWeights> bound;
  std::vector<at::Tensor> weights;
  if (!plan.weight_tasks.empty()) {
    bound = c.weights->TryGet(call.weights);
    if (bound)
      PutWeights(c, *bound, [&](size_t k) -> const at::Tensor& { return *call.weights[k]; }, call.slots);
    else
      for (const at::Tensor* t : call.weights) weights.push_back(*t);
  }
  std::vector<at::Tensor> checked;  // the weights again, for a checked call
  if (c.check)
    for (const at::Tensor* t : call.weights) checked.push_back(*t);
  let_go();
  std::vector<Slot>& inputs = call.slots;
  std::vector<Slot> outputs;
  std::exception_ptr exception;
  Status status;
  bool built = false;
  {
    py::gil_scoped_release no_gil;
    TorchHost host;
    const int threads = at::get_num_threads();
    std::optional<NodeCheck::Call> check;
    if (c.check) status = check.emplace(*c.check).Begin(inputs, checked, host, threads);
    const TaskObservers observers(check ? &*check : nullptr);
    TaskHook* hook = observers.hook();
    const auto make = [&](std::span<const at::Tensor> readers, const WeightSet* previous,
                          std::span<const uint8_t> changed) -> Result<std::shared_ptr<const WeightSet>> {
      built = true;
      for (size_t k = 0; k < weights.size(); ++k) {
        const int i = plan.weight_inputs[k];
        if (!Fits(TypeOfInput(c, i), weights[k])) return WrongInput(i, TypeOfInput(c, i), Describe(weights[k]));
        aten::PutTensor(inputs[static_cast<size_t>(i)], readers[k].defined() ? readers[k] : weights[k]);
      }
      WithoutPythonModes quiet;  // a mode of this call has no say in what later calls read
      Result<std::shared_ptr<const WeightSet>> set = c.model->MakeWeightSet(inputs, host, threads, &exception, previous, changed, hook);
      for (int i : plan.weight_inputs) inputs[static_cast<size_t>(i)] = Slot();
      return set;
    };
    if (status.ok() && !plan.weight_tasks.empty() && !bound) {
      Result<std::shared_ptr<const BoundWeights>> found = c.weights->Get(weights, make);
      if (found.ok()) {
        bound = *std::move(found);
        PutWeights(c, *bound, [&](size_t k) -> const at::Tensor& { return weights[k]; }, inputs);
      } else {
        status = std::move(found).status();
      }
      if (!built) weights.clear();
    }
    if (status.ok()) status = c.model->Run(inputs, outputs, bound ? bound->set.get() : nullptr, host, threads, &exception, hook);
    if (status.ok() && check) status = check->Finish(outputs);
    inputs.clear();
    bound.reset();
  }
  if (built && status.ok()) WatchForDeath(c, weights);
  weights.clear();
  if (!status.ok()) {
    if (exception) std::rethrow_exception(exception);
    ThrowStatus(status);
  }
  return outputs;
}

// Output number i of the graph as a new reference.
PyObject* MakeItem(const Compiled& c, std::vector<Slot>& outputs, size_t i) {
  const OutputSpec& spec = c.outputs[i];
  PyObject* item = nullptr;
  switch (spec.kind) {
    case OutputSpec::Kind::kNone: item = Py_NewRef(Py_None); break;
    case OutputSpec::Kind::kConstant: item = Py_NewRef(spec.constant.ptr()); break;
    case OutputSpec::Kind::kValue: {
      Slot& s = outputs[static_cast<size_t>(spec.index)];
      // Planned memory (a constant of a subgraph) is never handed out itself.
      if (s.kind == ValueType::Kind::kTensor && s.planned && !s.object)
        item = THPVariable_Wrap(aten::GetTensor(s).clone());
      else
        item = GetObject(s);
      break;
    }
  }
  if (!item) throw py::error_already_set();
  return item;
}

py::list MakeList(const Compiled& c, std::vector<Slot>& outputs) {
  py::list result(c.outputs.size());
  for (size_t i = 0; i < c.outputs.size(); ++i) PyList_SET_ITEM(result.ptr(), static_cast<Py_ssize_t>(i), MakeItem(c, outputs, i));
  return result;
}

py::object RunList(Compiled& c, PyObject* list) {
  std::vector<Slot> outputs = Run(c, ReadList(c, list), [list] {
    if (PyList_SetSlice(list, 0, PyList_GET_SIZE(list), nullptr) != 0) throw py::error_already_set();
  });
  return MakeList(c, outputs);
}

PyObject* Vectorcall(PyObject* self, PyObject* const* args, size_t nargsf, PyObject* names) {
  HANDLE_TH_ERRORS
  if (PyVectorcall_NARGS(nargsf) != 1 || names || !PyList_Check(args[0])) {
    PyErr_SetString(PyExc_TypeError,
                    "CompiledModel takes one list of graph inputs (the boxed calling convention); use torch_ge.compile for a model that "
                    "takes the user's inputs");
    return nullptr;
  }
  return RunList(*reinterpret_cast<PyCompiled*>(self)->impl, args[0]).release().ptr();
  END_HANDLE_TH_ERRORS
}

void Dealloc(PyObject* self) {
  if (reinterpret_cast<PyCompiled*>(self)->weak_references) PyObject_ClearWeakRefs(self);
  delete reinterpret_cast<PyCompiled*>(self)->impl;
  Py_TYPE(self)->tp_free(self);
}

PyObject* GetReport(PyObject* self, void*) { return Py_NewRef(reinterpret_cast<PyCompiled*>(self)->impl->report.ptr()); }

PyObject* GetText(PyObject* self, void*) {
  const std::string text = Print(*reinterpret_cast<PyCompiled*>(self)->impl->plan->module);
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

PyObject* WeightBuilds(PyObject* self, void*) { return PyLong_FromLongLong(reinterpret_cast<PyCompiled*>(self)->impl->weights->builds()); }

PyObject* WeightTasksRun(PyObject* self, void*) {
  return PyLong_FromLongLong(reinterpret_cast<PyCompiled*>(self)->impl->weights->tasks_run());
}

PyObject* WeightSets(PyObject* self, void*) {
  WeightCache& weights = *reinterpret_cast<PyCompiled*>(self)->impl->weights;
  size_t n = 0;
  {
    py::gil_scoped_release no_gil;  // a build in progress may wait for it
    n = weights.size();
  }
  return PyLong_FromSize_t(n);
}

PyObject* Refresh(PyObject* self, PyObject*) {
  WeightCache& weights = *reinterpret_cast<PyCompiled*>(self)->impl->weights;
  {
    py::gil_scoped_release no_gil;  // a build in progress may wait for it
    weights.Clear();
  }
  Py_RETURN_NONE;
}

PyGetSetDef kGetSet[] = {
    {"report", GetReport, nullptr, "What compilation did, as a dict; see torch_ge.report.GraphReport.", nullptr},
    {"text", GetText, nullptr, "The optimised graph as text.", nullptr},
    {"weight_builds", WeightBuilds, nullptr, "How often the constant stage has run, in full or in part.", nullptr},
    {"weight_tasks_run", WeightTasksRun, nullptr, "How many nodes the constant stage has run in all.", nullptr},
    {"weight_sets", WeightSets, nullptr, "How many weight sets are kept now.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef kMethods[] = {
    {"refresh", Refresh, METH_NOARGS, "Forgets all constants made from weights; the next call makes them anew."},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject kType = {PyVarObject_HEAD_INIT(nullptr, 0)};  // filled by RegisterCompiledModel

}  // namespace

void ThrowStatus(const Status& status) {
  switch (status.code()) {
    case Code::kInvalidArgument: PyErr_SetString(PyExc_ValueError, status.message().c_str()); throw py::error_already_set();
    case Code::kUnimplemented: PyErr_SetString(PyExc_NotImplementedError, status.message().c_str()); throw py::error_already_set();
    default: throw std::runtime_error(status.message());
  }
}

void RegisterCompiledModel(py::module_& m) {
  kType.tp_name = "torch_ge._C.CompiledModel";
  kType.tp_basicsize = sizeof(PyCompiled);
  kType.tp_dealloc = Dealloc;
  kType.tp_vectorcall_offset = offsetof(PyCompiled, vectorcall);
  kType.tp_call = PyVectorcall_Call;
  kType.tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL;
  kType.tp_doc = "A compiled graph. Called with one list of inputs, which it empties; returns the list of outputs.";
  kType.tp_weaklistoffset = offsetof(PyCompiled, weak_references);
  kType.tp_methods = kMethods;
  kType.tp_getset = kGetSet;
  if (PyType_Ready(&kType) != 0) throw py::error_already_set();
  // AOTAutograd asks the callable whether it takes its inputs as one list.
  PyDict_SetItemString(kType.tp_dict, "_boxed_call", Py_True);
  m.add_object("CompiledModel", py::reinterpret_borrow<py::object>(reinterpret_cast<PyObject*>(&kType)));
}

bool IsCompiled(PyObject* object) { return Py_TYPE(object) == &kType; }

PyObject* CallDirect(PyObject* compiled, std::span<const at::Tensor> state, std::span<PyObject* const> args, bool single) {
  Compiled& c = *reinterpret_cast<PyCompiled*>(compiled)->impl;
  const GraphPlan& plan = c.plan->entry();
  CallInputs call;
  call.slots.resize(plan.inputs.size());
  call.weights.reserve(plan.weight_inputs.size());
  for (size_t i = 0; i < state.size(); ++i) {
    if (call.weights.size() < plan.weight_inputs.size() && plan.weight_inputs[call.weights.size()] == static_cast<int>(i)) {
      call.weights.push_back(&state[i]);
    } else {
      aten::PutTensor(call.slots[i], state[i]);
    }
  }
  for (size_t k = 0; k < args.size(); ++k) {
    const int i = static_cast<int>(state.size() + k);
    Slot& s = call.slots[static_cast<size_t>(i)];
    PutObject(s, args[k]);
    if (!Fits(TypeOfInput(c, i), s, args[k], c.strict_inputs)) ThrowStatus(WrongInput(i, TypeOfInput(c, i), Describe(args[k])));
  }
  std::vector<Slot> outputs = Run(c, std::move(call), [] {});
  return single && c.outputs.size() == 1 ? MakeItem(c, outputs, 0) : MakeList(c, outputs).release().ptr();
}

py::object WrapCompiled(std::unique_ptr<Compiled> compiled) {
  PyObject* self = kType.tp_alloc(&kType, 0);
  if (!self) throw py::error_already_set();
  reinterpret_cast<PyCompiled*>(self)->vectorcall = Vectorcall;
  reinterpret_cast<PyCompiled*>(self)->impl = compiled.release();
  return py::reinterpret_steal<py::object>(self);
}

}  // namespace ge::torch_backend
