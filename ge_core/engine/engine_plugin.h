#pragma once
// The engine plug-in protocol: what a library exports so that torch_ge places nodes on its engine. docs/engines.md shows one.
//
// A plug-in exports the four C symbols Initialize, GetOpsKernelInfoStores, GetGraphOptimizerObjs, Finalize, and the data symbol
// ge_engine_plugin_abi (GE_ENGINE_PLUGIN_ABI() defines it). The loader reads that symbol before it calls anything, because the
// objects behind the four are C++ objects: they mean the same in two builds only if the builds agree on their layout.
//
// Plug-ins own what they hand out: it stays valid from Initialize to Finalize. Everything but Initialize and Finalize is entered
// by several threads at once.
#include <map>
#include <string>

#include "ge_core/engine/plugin_abi.h"
#include "ge_core/ir/engine.h"

namespace ge {

// Options in force when the plug-in is initialised, as resolved text ("ge.oo.level" -> "O3").
using PluginOptions = std::map<std::string, std::string>;

// What a store says about one operator type.
struct OpInfo {
  std::string engine;        // the engine's name in placement and reports; the same for all operators of a store
  std::string opKernelLib;   // the key of the store in GetOpsKernelInfoStores; a builder is registered under it too
  int computeCost = 0;       // relative; among the plug-ins the cheaper engine is asked first
  bool flagPartial = false;  // CheckSupported may refuse single nodes of the type; false: the type alone decides
  bool flagAsync = false;    // kernels return before they are done; refused: this runtime has one host stream
  bool isAtomic = false;     // kernels accumulate into their results, which are zero-filled before each run
};

// The operators of one kernel library: which there are, whether it runs a node, and the kernels themselves.
class GE_API OpsKernelInfoStore {
 public:
  virtual ~OpsKernelInfoStore();
  // Operator type -> what the store says about it. Asked once, after Initialize.
  virtual void GetAllOpsKernelInfo(std::map<std::string, OpInfo>& infos) const = 0;
  // Whether the store runs this node of one of its types; `reason` says why not. Decides from types, attributes and layouts:
  // equal nodes get equal answers. The adapter has refused before what no plug-in kernel can be given (see PluginEngine).
  virtual bool CheckSupported(const Node& node, std::string& reason) const = 0;
  // False: the operators have no kernels. Their nodes never run; results share the operand's memory, which a builder has to say
  // (ge_core/engine/ops_kernel_builder.h). Any operand is fine then, and LoadExecutable is not called.
  virtual bool HasKernels() const { return true; }
  // The kernel of a node that CheckSupported took: everything resolved, immutable. Operands and results are dense row-major
  // memory of the node's static types.
  virtual Result<std::unique_ptr<Executable>> LoadExecutable(const Node& node) const = 0;
};

// Changes graphs at the request of its engine. True: something changed. The graph is verified afterwards.
class GE_API GraphOptimizer {
 public:
  virtual ~GraphOptimizer();
  virtual std::string_view name() const = 0;
  // The engine it belongs to.
  virtual std::string_view engine() const = 0;
  // Before the passes.
  virtual Result<bool> OptimizeOriginalGraph(Graph&) { return false; }
  // After the passes, before placement: marks and inserts what the engine needs to take its nodes.
  virtual Result<bool> OptimizeOriginalGraphJudgeInsert(Graph&) { return false; }
};

// Signatures of the four symbols. A failing Initialize makes the loader drop the plug-in; Finalize is not called then.
using InitializeFn = Status (*)(const PluginOptions& options);
using GetOpsKernelInfoStoresFn = void (*)(std::map<std::string, OpsKernelInfoStore*>& stores);
using GetGraphOptimizerObjsFn = void (*)(std::map<std::string, GraphOptimizer*>& optimizers);
using FinalizeFn = Status (*)();

}  // namespace ge
