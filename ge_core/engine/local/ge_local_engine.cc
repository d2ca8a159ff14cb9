// libge_local_engine.so: DNN_VM_GE_LOCAL, the engine of the nodes that do not compute, behind the symbols of every plug-in.
#include <optional>

#include "ge_core/engine/local/graph_optimizer.h"
#include "ge_core/engine/local/names.h"
#include "ge_core/engine/local/ops_kernel_info_store.h"

GE_ENGINE_PLUGIN_ABI();

namespace ge::local {
namespace {

// Alive between Initialize and Finalize.
struct GeLocalEngine {
  GeLocalOpsKernelInfoStore store;
  GeLocalGraphOptimizer optimizer;
};
constinit std::optional<GeLocalEngine> engine;

}  // namespace
}  // namespace ge::local

extern "C" {

GE_API ge::Status Initialize(const ge::PluginOptions&) {
  ge::local::engine.emplace();
  return {};
}

GE_API void GetOpsKernelInfoStores(std::map<std::string, ge::OpsKernelInfoStore*>& stores) {
  stores[ge::local::kOpStoreName] = &ge::local::engine->store;
}

GE_API void GetGraphOptimizerObjs(std::map<std::string, ge::GraphOptimizer*>& optimizers) {
  optimizers[ge::local::kOptimizerName] = &ge::local::engine->optimizer;
}

GE_API ge::Status Finalize() {
  ge::local::engine.reset();
  return {};
}
}
