#pragma once
// PluginLoader: opens plug-in libraries and owns what they registered: engines, graph optimizers, kernel builders.
//
// One loader is the life of its plug-ins: Initialize at Load, Finalize in reverse order at the end. Libraries are never unmapped,
// because kernels and vtables of theirs may be referenced up to the end of the process.
#include "ge_core/engine/ops_kernel_builder.h"
#include "ge_core/engine/plugin_engine.h"

namespace ge {

// One opened library.
struct Plugin {
  std::string path;
  FinalizeFn finalize = nullptr;                       // null: a library with a builder only
  std::vector<std::unique_ptr<PluginEngine>> engines;  // one a store, in the order of the stores' names
  std::vector<GraphOptimizer*> optimizers;             // the plug-in's own
  std::string builder_lib;                             // opKernelLib of `builder`
  std::unique_ptr<OpsKernelBuilder> builder;           // null: none
};

class GE_API PluginLoader {
 public:
  PluginLoader() = default;
  PluginLoader(const PluginLoader&) = delete;
  PluginLoader& operator=(const PluginLoader&) = delete;
  // Finalizes. A failing Finalize is written to stderr: nobody is left to take a Status.
  ~PluginLoader();

  // Opens one library, or returns it if it is open already (under any name). Fails, and leaves the loader as it was, naming the
  // file and: what dlopen said; which symbol is missing; which ABI was found and expected; what Initialize answered; which engine,
  // optimizer or builder another plug-in has already registered.
  Result<const Plugin*> Load(const std::string& file, const PluginOptions& options);
  // Opens what a search path names (PluginFiles), in order. Stops at the first failure.
  Result<std::vector<const Plugin*>> LoadPath(std::string_view path, const PluginOptions& options);

  const std::vector<std::unique_ptr<Plugin>>& plugins() const { return plugins_; }
  // Engines of all plug-ins: cheaper ones first, then in the order of loading.
  std::vector<const PluginEngine*> engines() const;
  const PluginEngine* FindEngine(std::string_view name) const;
  const OpsKernelBuilder* FindBuilder(std::string_view op_kernel_lib) const;

 private:
  // Gives every engine the builder of its kernel library, whichever of the two libraries came first.
  void LinkBuilders();
  Status Register(Plugin& plugin, void* handle, const PluginOptions& options);
  Status CheckUnique(const Plugin& plugin) const;
  std::vector<std::unique_ptr<Plugin>> plugins_;
  std::map<void*, const Plugin*> by_handle_;  // look-up only
};

}  // namespace ge
