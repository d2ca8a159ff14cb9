// The tag of a later protocol. Its code must not be entered.
#include <cstdlib>

#include "tests/ge_core/engine/plugins/one_op_plugin.h"

extern "C" GE_API const ge::PluginAbi ge_engine_plugin_abi;
constinit const ge::PluginAbi ge_engine_plugin_abi = {ge::kEnginePluginAbiVersion + 1, ge::ThisPluginAbi().layout,
                                                      ge::ThisPluginAbi().compiler, ge::ThisPluginAbi().strings};

extern "C" {
GE_API ge::Status Initialize(const ge::PluginOptions&) { std::abort(); }
GE_API void GetOpsKernelInfoStores(std::map<std::string, ge::OpsKernelInfoStore*>&) { std::abort(); }
GE_API void GetGraphOptimizerObjs(std::map<std::string, ge::GraphOptimizer*>&) { std::abort(); }
GE_API ge::Status Finalize() { std::abort(); }
}
