// Initialize fails; nothing else may be called, Finalize included.
#include <cstdlib>

#include "tests/ge_core/engine/plugins/one_op_plugin.h"

GE_ENGINE_PLUGIN_ABI();

extern "C" {
GE_API ge::Status Initialize(const ge::PluginOptions&) { return ge::FailedPrecondition("no licence for this machine"); }
GE_API void GetOpsKernelInfoStores(std::map<std::string, ge::OpsKernelInfoStore*>&) { std::abort(); }
GE_API void GetGraphOptimizerObjs(std::map<std::string, ge::GraphOptimizer*>&) { std::abort(); }
GE_API ge::Status Finalize() { std::abort(); }
}
