// Three of the four symbols: Finalize is missing.
#include "tests/ge_core/engine/plugins/one_op_plugin.h"

GE_ENGINE_PLUGIN_ABI();

extern "C" {
GE_API ge::Status Initialize(const ge::PluginOptions&) { return {}; }
GE_API void GetOpsKernelInfoStores(std::map<std::string, ge::OpsKernelInfoStore*>&) {}
GE_API void GetGraphOptimizerObjs(std::map<std::string, ge::GraphOptimizer*>&) {}
}
