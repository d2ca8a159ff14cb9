#pragma once
// Composition root of the PyTorch side: owns the op table, the ATen mapping and the engines, and takes an FX graph through
// import, passes, planning and loading.
#include <map>
#include <mutex>

#include "ge_core/engine/plugin_loader.h"
#include "ge_core/eval/host_cpu_engine.h"
#include "ge_core/passes/pass_registry.h"
#include "npu_runtime/loaded_model.h"
#include "npu_runtime/sim_device.h"
#include "torch_backend/csrc/importer.h"
#include "torch_backend/csrc/node_check.h"
#include "torch_backend/csrc/py_call.h"
#include "torch_backend/csrc/weights.h"

namespace ge::torch_backend {

using TextOptions = std::map<std::string, std::string>;

// One compiled FX graph: what CompiledModel (Python) owns.
struct Compiled {
  std::unique_ptr<PyCallEngine> python;  // before `model`: executables were made by it
  std::shared_ptr<const CompiledModel> plan;
  std::unique_ptr<LoadedModel> model;
  std::unique_ptr<NodeCheck> check;  // ge.debug.check=node, else null
  std::vector<OutputSpec> outputs;
  std::unique_ptr<WeightCache> weights;
  bool strict_inputs = true;  // inputs must have the dtypes and shapes of the graph
  py::dict weight_watchers;   // tensor address -> weak reference whose callback forgets the sets made from it
  py::dict report;            // the keys of torch_ge.report.GraphReport
};

class Session {
 public:
  static Session& Get();

  // Compiles. Holds the GIL while it reads FX. `options`: the ge.* keys as text. `weights`: see ImportOptions.
  Result<std::unique_ptr<Compiled>> CompileFx(py::handle gm, const TextOptions& options, std::vector<int64_t> weights, bool strict_inputs);

  // Text of the graph right after import, for tests and bug reports.
  Result<std::string> ImportText(py::handle gm, bool strict);

  py::dict BuildInfo() const;
  std::vector<std::string> PassNames() const;
  const OpTable& ops() const;

 private:
  Session();
  struct EngineRow {
    std::string name;
    const Engine* engine = nullptr;
    std::string reason;  // why it is absent
  };
  Result<Device*> DeviceOf(const TextOptions& options);
  using Plugins = std::vector<const Plugin*>;
  // Opens the plug-ins of ge.engines.path, or of GE_ENGINE_PATH; those open already are not initialised again.
  Result<Plugins> LoadPlugins(const TextOptions& options);
  // In placement order, without the local engine, which is asked before all of them.
  Result<EngineList> Engines(const TextOptions& options, const Plugins& plugins, const Engine* python) const;

  std::unique_ptr<AtenMappings> mappings_;
  std::unique_ptr<Engine> aten_;
  std::unique_ptr<HostCpuEngine> evaluator_;
  PassRegistry registry_;
  std::vector<EngineRow> engines_;  // optional engines, in placement order
  std::mutex plugins_mutex_;        // of plugins_
  // Never finalized: compiled models may run up to the end of the process.
  PluginLoader plugins_;
  EngineRow local_{.name = "DNN_VM_GE_LOCAL"};
  Plugins local_libraries_;
  HostDevice device_;
  std::unique_ptr<SimDevice> sim_;  // made when first asked for, under the GIL
};

}  // namespace ge::torch_backend
