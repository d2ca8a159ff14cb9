// Contradictory stores, chosen by the environment variable TEST_BAD_STORE; Finalize must be called after each refusal.
#include <cstdlib>

#include "tests/ge_core/engine/plugins/one_op_plugin.h"

GE_ENGINE_PLUGIN_ABI();
FIXTURE_LOG()

namespace {

struct ListStore final : ge::OpsKernelInfoStore {
  std::map<std::string, ge::OpInfo> list;
  void GetAllOpsKernelInfo(std::map<std::string, ge::OpInfo>& infos) const override { infos = list; }
  bool CheckSupported(const ge::Node&, std::string&) const override { return true; }
  ge::Result<std::unique_ptr<ge::Executable>> LoadExecutable(const ge::Node&) const override { return ge::Internal("never loaded"); }
} store;

}  // namespace

extern "C" {
GE_API ge::Status Initialize(const ge::PluginOptions&) {
  const std::string what = std::getenv("TEST_BAD_STORE");
  const ge::OpInfo good{.engine = "TEST_BAD", .opKernelLib = "TEST_BAD_OP_STORE"};
  store.list.clear();
  if (what == "empty") return {};
  store.list["Neg"] = good;
  if (what == "two engines") store.list["Relu"] = good, store.list["Relu"].engine = "TEST_WORSE";
  if (what == "no engine") store.list["Neg"].engine = "";
  if (what == "other library") store.list["Neg"].opKernelLib = "SOMETHING_ELSE";
  if (what == "asynchronous") store.list["Neg"].flagAsync = true;
  if (what == "blank in the name") store.list["Neg"].engine = "TEST BAD";
  return {};
}
GE_API void GetOpsKernelInfoStores(std::map<std::string, ge::OpsKernelInfoStore*>& stores) {
  stores["TEST_BAD_OP_STORE"] = std::getenv("TEST_BAD_STORE") == std::string("null") ? nullptr : &store;
}
GE_API void GetGraphOptimizerObjs(std::map<std::string, ge::GraphOptimizer*>&) {}
GE_API ge::Status Finalize() {
  fixture_log += "Finalize ";
  return {};
}
}
