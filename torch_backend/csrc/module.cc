// torch_ge._C: the extension module.
#include "torch_backend/csrc/compiled_model.h"

namespace ge::torch_backend {
namespace {

template <typename T>
T Unwrap(Result<T> r) {
  if (!r.ok()) ThrowStatus(std::move(r).status());
  return *std::move(r);
}

}  // namespace

PYBIND11_MODULE(_C, m) {
  m.doc() = "Native part of torch_ge: importer, compiler, runtime.";
  RegisterCompiledModel(m);
  m.def(
      "compile_fx",
      [](py::handle gm, const TextOptions& options, std::vector<int64_t> weights, bool strict_inputs) {
        return WrapCompiled(Unwrap(Session::Get().CompileFx(gm, options, std::move(weights), strict_inputs)));
      },
      py::arg("gm"), py::arg("options"), py::arg("weights"), py::arg("strict_inputs") = true,
      "Compiles a functional FX GraphModule (after AOTAutograd). `weights`: placeholder positions that hold weights. "
      "`strict_inputs`: a call checks every input's dtype and shape.");
  m.def(
      "import_text", [](py::handle gm, bool strict) { return Unwrap(Session::Get().ImportText(gm, strict)); }, py::arg("gm"),
      py::arg("strict") = true, "The imported graph as text, before any pass.");
  m.def("build_info", [] { return Session::Get().BuildInfo(); });
  m.def("list_passes", [] { return Session::Get().PassNames(); });
  m.def("advance_optimizer_epoch", [] { AdvanceOptimizerEpoch(); }, "Called after each optimizer step; see weights.h.");
  m.def(
      "aten_rows",
      [] {
        std::vector<std::pair<std::string, std::string>> rows;
        for (const OpDef* op : Session::Get().ops().defs())
          for (int i = 0; i < op->num_aten; ++i) rows.emplace_back(op->name, op->aten[static_cast<size_t>(i)]);
        return rows;
      },
      "All (operator, ATen row) pairs of the op table.");
}

}  // namespace ge::torch_backend
