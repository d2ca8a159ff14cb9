#pragma once
// PyCall nodes: Python callables inside a graph, called under the GIL.
#include <torch/csrc/utils/pybind.h>

#include "ge_core/ir/engine.h"

namespace ge::torch_backend {

// Python value -> slot and back. Both need the GIL. Objects that are neither tensors nor numbers travel as they are.
void PutObject(Slot& slot, PyObject* object);
PyObject* GetObject(Slot& slot);  // new reference

class PyCallEngine final : public Engine {
 public:
  // `callables[i]` serves nodes with attribute callable = i.
  explicit PyCallEngine(std::vector<pybind11::object> callables) : callables_(std::move(callables)) {}
  std::string_view name() const override { return "python"; }
  Support Supports(const Node& node) const override { return node.Is("PyCall") ? Support::Yes() : Support::No("no PyCall"); }
  Result<std::unique_ptr<Executable>> Load(const Node& node) const override;
  bool allocates_outputs() const override { return true; }

 private:
  std::vector<pybind11::object> callables_;
};

}  // namespace ge::torch_backend
