// torch_ge._C: the extension module.
#include "ge_core/passes/option_def.h"
#include "torch_backend/csrc/compiled_model.h"
#include "torch_backend/csrc/direct_call.h"
#include "torch_backend/csrc/task_observers.h"

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
  RegisterDirectCall(m);
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
  m.def(
      "option_table",
      [] {
        py::list table;
        for (const OptionDef& o : Options()) {
          py::dict row;
          row["key"] = std::string(o.key);
          row["kind"] = std::string(Name(o.kind));
          row["choices"] = std::vector<std::string>(o.choices.begin(), o.choices.begin() + o.num_choices);
          row["default"] = std::string(o.value);
          row["doc"] = std::string(o.help);
          row["scopes"] = static_cast<int>(o.scopes);
          row["visibility"] = static_cast<int>(o.visibility);
          row["show_name"] = std::string(o.show_name);
          table.append(row);
        }
        return table;
      },
      "All options, as ge_core/passes/options.cc declares them.");
  m.def(
      "resolve_options",
      [](const TextOptions& global, const TextOptions& session, const TextOptions& graph) {
        return Unwrap(ResolveOptions(global, session, graph));
      },
      "The value of every option under those of the three scopes, the narrower wins.");
  m.def(
      "start_trace",
      [] {
        if (Status s = StartTrace(); !s.ok()) ThrowStatus(s);
      },
      "Begins a trace of all calls in the process; torch_ge.trace wraps it.");
  m.def("stop_trace", [] { return Unwrap(StopTrace()); }, "Ends the trace; returns its JSON.");
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
