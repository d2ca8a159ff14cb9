#pragma once
// Reading FX: Python argument values as attributes, FakeTensor metadata as value types.
#include <torch/csrc/utils/pybind.h>

#include "ge_core/ir/graph.h"

namespace ge::torch_backend {

namespace py = pybind11;

// What an FX node stands for in our graph: one value, or a (nested) list of them. No value and no list: None.
struct ValueTree {
  Value* value = nullptr;
  bool is_list = false;
  std::vector<ValueTree> items;
};

// Python names that the importer needs, looked up once.
struct FxNames {
  py::object node_class;       // torch.fx.Node
  py::object graph_module;     // torch.fx.GraphModule
  py::object op_overload;      // torch._ops.OpOverload
  py::object higher_order_op;  // torch._ops.HigherOrderOperator
  py::object fake_tensor;
  py::object expr_text;     // torch_ge._fx.expr_text: SymInt / SymFloat / SymBool -> text
  py::object make_py_call;  // torch_ge._fx.make_py_call
  static const FxNames& Get();
};

// Dim of a size or stride that may be symbolic. An expression we cannot represent is Unknown.
Dim ToDim(const c10::SymInt& size);

// Type of one FakeTensor / SymInt / number / None. Sparse, quantised, nested and other objects are opaque. Tensors carry the
// strides of the metadata where they are not contiguous.
ValueType TypeOf(py::handle val);

// The last "File ..., line N" of a stack trace as "file:line"; empty if there is none.
std::string SourceLine(py::handle meta);

// Converts arguments. FX nodes become references into `refs` through `lookup` (null: unknown node).
class ArgReader {
 public:
  using Lookup = std::function<const ValueTree*(py::handle node)>;
  explicit ArgReader(Lookup lookup) : lookup_(std::move(lookup)) {}
  // Unimplemented: something that cannot be kept as data (a GraphModule, an operator, a generator): use a PyCall.
  Result<Attr> Read(py::handle arg);
  std::vector<Value*> refs;

 private:
  Attr Ref(const ValueTree& tree);
  Lookup lookup_;
};

}  // namespace ge::torch_backend
