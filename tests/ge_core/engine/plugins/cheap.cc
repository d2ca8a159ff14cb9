// A second plug-in for Neg, cheaper than TEST_NEG: it is asked first. Its kernels accumulate (isAtomic).
#include "tests/ge_core/engine/plugins/one_op_plugin.h"

GE_ENGINE_PLUGIN_ABI();

namespace {
fixture::OneOpStore* store = nullptr;
}

extern "C" {
GE_API ge::Status Initialize(const ge::PluginOptions&) {
  store = new fixture::OneOpStore("TEST_CHEAP", "TEST_CHEAP_OP_STORE", "Neg", 1);
  store->info.isAtomic = true;
  return {};
}
GE_API void GetOpsKernelInfoStores(std::map<std::string, ge::OpsKernelInfoStore*>& stores) { stores["TEST_CHEAP_OP_STORE"] = store; }
GE_API void GetGraphOptimizerObjs(std::map<std::string, ge::GraphOptimizer*>&) {}
GE_API ge::Status Finalize() {
  delete store;
  return {};
}
}
