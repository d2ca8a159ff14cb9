#include "ge_core/engine/plugin_loader.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>

#include "ge_core/base/str.h"
#include "ge_core/engine/plugin_search.h"

namespace ge {
namespace {

constexpr const char* kInitialize = "Initialize";
constexpr const char* kGetStores = "GetOpsKernelInfoStores";
constexpr const char* kGetOptimizers = "GetGraphOptimizerObjs";
constexpr const char* kFinalize = "Finalize";

// dlsym also searches what the library depends on; a symbol of those is not the library's.
void* OwnSymbol(void* handle, const char* name) {
  void* symbol = dlsym(handle, name);
  if (!symbol) return nullptr;
  Dl_info of_symbol;
  void* owner = dladdr(symbol, &of_symbol) && of_symbol.dli_fname ? dlopen(of_symbol.dli_fname, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  if (owner) dlclose(owner);  // only the reference just taken
  return owner == handle ? symbol : nullptr;
}

Status CheckAbi(void* handle, const std::string& file) {
  const auto* abi = static_cast<const PluginAbi*>(OwnSymbol(handle, kPluginAbiSymbol));
  if (!abi)
    return NotFound(StrCat(file, " is no engine plug-in: it does not export ", kPluginAbiSymbol,
                           "; write GE_ENGINE_PLUGIN_ABI() once in its sources"));
  if (*abi == ThisPluginAbi()) return {};
  return FailedPrecondition(StrCat(file, " was built for another plug-in ABI: found ", ToString(*abi), "; expected ",
                                   ToString(ThisPluginAbi()), ". Build it against the headers of this torch_ge"));
}

}  // namespace

PluginLoader::~PluginLoader() {
  while (!plugins_.empty()) {
    Plugin& last = *plugins_.back();
    last.engines.clear();
    last.builder.reset();
    if (last.finalize)
      if (Status s = last.finalize(); !s.ok())
        std::fprintf(stderr, "torch_ge: Finalize of %s: %s\n", last.path.c_str(), s.message().c_str());
    plugins_.pop_back();
  }
}

Result<const Plugin*> PluginLoader::Load(const std::string& file, const PluginOptions& options) {
  // Without a slash dlopen would search the system's folders.
  const std::string path = file.find('/') == std::string::npos ? StrCat("./", file) : file;
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* error = dlerror();
    return NotFound(StrCat("engine plug-in ", file, " cannot be opened: ", error ? error : "unknown error"));
  }
  if (auto it = by_handle_.find(handle); it != by_handle_.end()) {
    dlclose(handle);  // only the reference just taken
    return it->second;
  }
  if (Status status = CheckAbi(handle, file); !status.ok()) {
    dlclose(handle);  // nothing of it has been used
    return status;
  }
  auto plugin = std::make_unique<Plugin>();
  plugin->path = file;
  GE_RETURN_IF_ERROR(Register(*plugin, handle, options));
  by_handle_.emplace(handle, plugin.get());
  plugins_.push_back(std::move(plugin));
  LinkBuilders();
  return plugins_.back().get();
}

void PluginLoader::LinkBuilders() {
  for (const auto& p : plugins_)
    for (const auto& e : p->engines) e->SetBuilder(FindBuilder(e->op_kernel_lib()));
}

Status PluginLoader::Register(Plugin& plugin, void* handle, const PluginOptions& options) {
  const auto symbol = [&](const char* name) { return OwnSymbol(handle, name); };
  const auto initialize = reinterpret_cast<InitializeFn>(symbol(kInitialize));
  const auto get_stores = reinterpret_cast<GetOpsKernelInfoStoresFn>(symbol(kGetStores));
  const auto get_optimizers = reinterpret_cast<GetGraphOptimizerObjsFn>(symbol(kGetOptimizers));
  const auto finalize = reinterpret_cast<FinalizeFn>(symbol(kFinalize));
  const auto* builder = static_cast<const OpsKernelBuilderRow*>(symbol(kOpsKernelBuilderSymbol));
  const bool any = initialize || get_stores || get_optimizers || finalize;
  if (any || !builder)
    for (const auto& [present, name] : {std::pair(initialize != nullptr, kInitialize), std::pair(get_stores != nullptr, kGetStores),
                                        std::pair(get_optimizers != nullptr, kGetOptimizers), std::pair(finalize != nullptr, kFinalize)})
      if (!present)
        return NotFound(StrCat("engine plug-in ", plugin.path, " does not export ", name, "; a plug-in exports ", kInitialize, ", ",
                               kGetStores, ", ", kGetOptimizers, " and ", kFinalize, " as extern \"C\", or a builder alone"));
  if (builder) {
    if (!builder->op_kernel_lib || !builder->make)
      return InvalidArgument(StrCat("engine plug-in ", plugin.path, ": ", kOpsKernelBuilderSymbol, " has an empty field"));
    plugin.builder_lib = builder->op_kernel_lib;
    plugin.builder = builder->make();
    if (!plugin.builder) return Internal(StrCat("engine plug-in ", plugin.path, ": its builder maker gave nothing"));
  }
  if (!any) return CheckUnique(plugin);
  if (Status s = initialize(options); !s.ok())
    return std::move(s).Annotate(StrCat("Initialize of engine plug-in ", plugin.path, " failed"));
  const auto collect = [&]() -> Status {
    std::map<std::string, OpsKernelInfoStore*> stores;
    get_stores(stores);
    for (const auto& [lib, store] : stores) {
      if (!store) return InvalidArgument(StrCat("engine plug-in ", plugin.path, ": store '", lib, "' is null"));
      GE_ASSIGN_OR_RETURN(std::unique_ptr<PluginEngine> engine, PluginEngine::Make(lib, *store, plugin.path));
      plugin.engines.push_back(std::move(engine));
    }
    std::map<std::string, GraphOptimizer*> optimizers;
    get_optimizers(optimizers);
    for (const auto& [name, optimizer] : optimizers) {
      if (!optimizer) return InvalidArgument(StrCat("engine plug-in ", plugin.path, ": graph optimizer '", name, "' is null"));
      plugin.optimizers.push_back(optimizer);
    }
    if (plugin.engines.empty() && plugin.optimizers.empty())
      return InvalidArgument(StrCat("engine plug-in ", plugin.path, " registers neither a store nor a graph optimizer"));
    return CheckUnique(plugin);
  };
  Status status = collect();
  if (status.ok()) {
    plugin.finalize = finalize;
    return status;
  }
  plugin.engines.clear();
  if (Status s = finalize(); !s.ok()) return std::move(status).Annotate(StrCat("and then its Finalize failed: ", s.message()));
  return status;
}

Status PluginLoader::CheckUnique(const Plugin& plugin) const {
  const auto taken = [&](std::string_view what, std::string_view name, const std::string& by) {
    return InvalidArgument(StrCat("engine plug-in ", plugin.path, " registers ", what, " '", name, "', which ", by,
                                  " has registered already; take one of the two off the search path"));
  };
  for (size_t i = 0; i < plugin.engines.size(); ++i) {
    const PluginEngine& e = *plugin.engines[i];
    for (size_t j = 0; j < i; ++j)
      if (plugin.engines[j]->name() == e.name()) return taken("engine", e.name(), "another store of its own");
    if (const PluginEngine* other = FindEngine(e.name())) return taken("engine", e.name(), other->library());
  }
  for (const auto& other : plugins_) {
    for (const GraphOptimizer* mine : plugin.optimizers)
      for (const GraphOptimizer* o : other->optimizers)
        if (o->name() == mine->name()) return taken("graph optimizer", mine->name(), other->path);
    if (plugin.builder && other->builder && other->builder_lib == plugin.builder_lib)
      return taken("a kernel builder for", plugin.builder_lib, other->path);
  }
  return {};
}

Result<std::vector<const Plugin*>> PluginLoader::LoadPath(std::string_view path, const PluginOptions& options) {
  GE_ASSIGN_OR_RETURN(const std::vector<std::string> files, PluginFiles(path));
  std::vector<const Plugin*> out;
  for (const std::string& file : files) {
    GE_ASSIGN_OR_RETURN(const Plugin* plugin, Load(file, options));
    out.push_back(plugin);
  }
  return out;
}

std::vector<const PluginEngine*> PluginLoader::engines() const {
  std::vector<const PluginEngine*> out;
  for (const auto& p : plugins_)
    for (const auto& e : p->engines) out.push_back(e.get());
  std::ranges::stable_sort(out, {}, [](const PluginEngine* e) { return e->cost(); });
  return out;
}

const PluginEngine* PluginLoader::FindEngine(std::string_view name) const {
  for (const auto& p : plugins_)
    for (const auto& e : p->engines)
      if (e->name() == name) return e.get();
  return nullptr;
}

const OpsKernelBuilder* PluginLoader::FindBuilder(std::string_view op_kernel_lib) const {
  for (const auto& p : plugins_)
    if (p->builder && p->builder_lib == op_kernel_lib) return p->builder.get();
  return nullptr;
}

}  // namespace ge
