// A plug-in that does everything right: engine TEST_NEG for Neg in f32, an optimizer, and a kernel builder.
#include "ge_core/engine/ops_kernel_builder.h"
#include "tests/ge_core/engine/plugins/one_op_plugin.h"

GE_ENGINE_PLUGIN_ABI();
FIXTURE_LOG()

namespace {

fixture::OneOpStore store("TEST_NEG", "TEST_NEG_OP_STORE", "Neg", 5);

struct Optimizer final : ge::GraphOptimizer {
  std::string_view name() const override { return "test-neg-optimizer"; }
  std::string_view engine() const override { return "TEST_NEG"; }
} optimizer;

struct Builder final : ge::OpsKernelBuilder {
  ge::Result<ge::OpRunningParam> CalcOpRunningParam(const ge::Graph&, const ge::Node&) const override { return ge::OpRunningParam{}; }
  ge::Status GenerateTask(ge::Graph&, ge::Node&, ge::TaskContext&) const override { return {}; }
};

}  // namespace

REGISTER_OPS_KERNEL_BUILDER("TEST_NEG_OP_STORE", Builder);

extern "C" {
GE_API ge::Status Initialize(const ge::PluginOptions& options) {
  fixture_log += "Initialize(" + options.at("ge.oo.level") + ") ";
  return {};
}
GE_API void GetOpsKernelInfoStores(std::map<std::string, ge::OpsKernelInfoStore*>& stores) { stores["TEST_NEG_OP_STORE"] = &store; }
GE_API void GetGraphOptimizerObjs(std::map<std::string, ge::GraphOptimizer*>& optimizers) { optimizers["test"] = &optimizer; }
GE_API ge::Status Finalize() {
  fixture_log += "Finalize ";
  return {};
}
}
