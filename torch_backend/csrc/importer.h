#pragma once
// Importer: a functional FX graph (AOTAutograd or torch.export) to a Module of AscendIR operators and fallback nodes.
#include <map>

#include "ge_core/ir/aten_mapping.h"
#include "torch_backend/csrc/fx_values.h"

namespace ge::torch_backend {

struct ImportOptions {
  // Placeholder positions that hold weights which this graph neither writes nor returns: constant per weight set.
  std::vector<int64_t> weights;
  // A contradiction between our inference and PyTorch's metadata fails the import instead of falling back.
  bool strict = false;
};

// One entry of the FX output: a value of NetOutput, None, or a Python constant.
struct OutputSpec {
  enum class Kind { kValue, kNone, kConstant } kind = Kind::kNone;
  int index = 0;        // kValue: operand of NetOutput
  py::object constant;  // kConstant
};

struct Imported {
  std::unique_ptr<Module> module;
  std::vector<OutputSpec> outputs;
  std::vector<py::object> callables;         // of PyCall nodes: index = attribute `callable`
  int64_t nodes_imported = 0;                // FX calls, list accesses not counted
  std::map<std::string, int64_t> fallbacks;  // "aten:aten::foo" / "python:foo" / "sym:add" -> count
  std::vector<std::string> notes;            // mismatches and reasons, for the report
  std::map<std::string, std::string> why;    // node name -> why it is a fallback
};

// `gm`: a torch.fx.GraphModule after AOTAutograd; needs the GIL. Never evaluates a SymInt.
Result<Imported> ImportFx(py::handle gm, const OpTable& ops, const AtenMappings& mappings, const ImportOptions& options);

}  // namespace ge::torch_backend
