#include "torch_backend/csrc/fx_values.h"

#include <torch/csrc/Device.h>
#include <torch/csrc/Dtype.h>
#include <torch/csrc/Layout.h>
#include <torch/csrc/MemoryFormat.h>
#include <torch/csrc/autograd/python_variable.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/csrc/utils/python_symnode.h>

#include "ge_core/base/str.h"
#include "host_kernels/aten/tensor_slot.h"

namespace ge::torch_backend {

const FxNames& FxNames::Get() {
  // Never destroyed: Python may be gone by then.
  static const FxNames* names = [] {
    auto* n = new FxNames();
    const py::module_ fx = py::module_::import("torch.fx"), ops = py::module_::import("torch._ops"),
                      own = py::module_::import("torch_ge._fx");
    n->node_class = fx.attr("Node");
    n->graph_module = fx.attr("GraphModule");
    n->op_overload = ops.attr("OpOverload");
    n->higher_order_op = ops.attr("HigherOrderOperator");
    n->fake_tensor = py::module_::import("torch._subclasses.fake_tensor").attr("FakeTensor");
    n->expr_text = own.attr("expr_text");
    n->make_py_call = own.attr("make_py_call");
    return n;
  }();
  return *names;
}

namespace {

Dim ParseExpr(py::handle sym) {
  const py::object text = FxNames::Get().expr_text(sym);
  if (text.is_none()) return Dim::Unknown();
  Result<Dim> d = Dim::Parse(text.cast<std::string>());
  return d.ok() ? *std::move(d) : Dim::Unknown();
}

}  // namespace

Dim ToDim(const c10::SymInt& size) {
  if (auto known = size.maybe_as_int()) return *known;
  return ParseExpr(py::cast(size));
}

ValueType TypeOf(py::handle val) {
  if (PyBool_Check(val.ptr())) return ValueType::Sym(DType::kBool);
  if (PyLong_Check(val.ptr())) return ValueType::Sym(DType::kI64, val.cast<int64_t>());
  if (PyFloat_Check(val.ptr())) return ValueType::Sym(DType::kF64);
  if (torch::is_symint(val)) return ValueType::Sym(DType::kI64, ParseExpr(val));
  if (torch::is_symfloat(val)) return ValueType::Sym(DType::kF64);
  if (torch::is_symbool(val)) return ValueType::Sym(DType::kBool);
  if (!THPVariable_Check(val.ptr())) return ValueType::Opaque();
  const at::Tensor& t = THPVariable_Unpack(val.ptr());
  if (t.layout() != at::kStrided || t.is_quantized() || t.unsafeGetTensorImpl()->is_nested() || !t.device().is_cpu())
    return ValueType::Opaque();
  const auto dtype = aten::FromScalarType(t.scalar_type());
  if (!dtype) return ValueType::Opaque();
  Shape shape;
  std::vector<Dim> strides;
  if (!t.unsafeGetTensorImpl()->has_symbolic_sizes_strides()) {
    shape.assign(t.sizes().begin(), t.sizes().end());
    strides.assign(t.strides().begin(), t.strides().end());
  } else {
    for (const c10::SymInt& s : t.sym_sizes()) shape.push_back(ToDim(s));
    for (const c10::SymInt& s : t.sym_strides()) strides.push_back(ToDim(s));
  }
  ValueType type = ValueType::Tensor(*dtype, std::move(shape));
  if (strides != type.ContiguousStrides()) type.layout = StorageLayout::Strided(std::move(strides));
  return type;
}

std::string SourceLine(py::handle meta) {
  PyObject* trace = PyDict_GetItemString(meta.ptr(), "stack_trace");  // borrowed
  if (!trace || !PyUnicode_Check(trace)) return {};
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(trace, &size);
  if (!data) {
    PyErr_Clear();
    return {};
  }
  const std::string_view text(data, static_cast<size_t>(size));
  const size_t at = text.rfind("File \"");
  if (at == std::string_view::npos) return {};
  const size_t quote = text.find('"', at + 6);
  const size_t line = text.find("line ", at);
  if (quote == std::string_view::npos || line == std::string_view::npos) return {};
  size_t end = line + 5;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
  return StrCat(text.substr(at + 6, quote - at - 6), ":", text.substr(line + 5, end - line - 5));
}

Attr ArgReader::Ref(const ValueTree& tree) {
  if (tree.is_list) {
    Attr::List list;
    for (const ValueTree& item : tree.items) list.push_back(Ref(item));
    return list;
  }
  if (!tree.value) return {};
  refs.push_back(tree.value);
  return Attr::InputRef{static_cast<int>(refs.size()) - 1};
}

Result<Attr> ArgReader::Read(py::handle arg) {
  PyObject* p = arg.ptr();
  if (p == Py_None) return Attr();
  if (PyBool_Check(p)) return Attr(p == Py_True);
  if (PyLong_Check(p)) {
    int overflow = 0;
    const int64_t v = PyLong_AsLongLongAndOverflow(p, &overflow);
    if (overflow) return Unimplemented("an integer argument exceeds 64 bits");
    return Attr(v);
  }
  if (PyFloat_Check(p)) return Attr(PyFloat_AS_DOUBLE(p));
  if (PyUnicode_Check(p)) return Attr(arg.cast<std::string>());
  if (PyComplex_Check(p)) return Attr(std::complex<double>(PyComplex_RealAsDouble(p), PyComplex_ImagAsDouble(p)));
  if (PyList_Check(p) || PyTuple_Check(p)) {
    Attr::List list;
    for (py::handle item : py::reinterpret_borrow<py::sequence>(arg)) {
      GE_ASSIGN_OR_RETURN(Attr a, Read(item));
      list.push_back(std::move(a));
    }
    return Attr(std::move(list));
  }
  if (py::isinstance(arg, FxNames::Get().node_class)) {
    const ValueTree* tree = lookup_(arg);
    if (!tree) return Unimplemented(StrCat("argument ", py::str(arg).cast<std::string>(), " is no value of the graph"));
    return Ref(*tree);
  }
  if (THPDtype_Check(p)) {
    const auto t = aten::FromScalarType(reinterpret_cast<THPDtype*>(p)->scalar_type);
    if (!t) return Unimplemented("a quantised dtype");
    return Attr(*t);
  }
  if (THPDevice_Check(p)) return Attr(reinterpret_cast<THPDevice*>(p)->device.str());
  if (THPLayout_Check(p)) {
    switch (reinterpret_cast<THPLayout*>(p)->layout) {
      case at::kStrided: return Attr("strided");
      case at::kSparse: return Attr("sparse_coo");
      case at::kSparseCsr: return Attr("sparse_csr");
      default: return Unimplemented("a layout argument");
    }
  }
  if (THPMemoryFormat_Check(p)) {
    switch (reinterpret_cast<THPMemoryFormat*>(p)->memory_format) {
      case at::MemoryFormat::Contiguous: return Attr("contiguous_format");
      case at::MemoryFormat::Preserve: return Attr("preserve_format");
      case at::MemoryFormat::ChannelsLast: return Attr("channels_last");
      case at::MemoryFormat::ChannelsLast3d: return Attr("channels_last_3d");
      default: return Unimplemented("a memory format argument");
    }
  }
  return Unimplemented(StrCat("an argument of type ", Py_TYPE(p)->tp_name));
}

}  // namespace ge::torch_backend
