#pragma once
// GeLocalOpsKernelInfoStore: tells placement which operators are the local engine's.
#include "ge_core/engine/engine_plugin.h"

namespace ge::local {

class GeLocalOpsKernelInfoStore final : public OpsKernelInfoStore {
 public:
  // One OpInfo for every type of OpFactory, at no cost: cheaper than any engine that computes.
  GeLocalOpsKernelInfoStore();
  void GetAllOpsKernelInfo(std::map<std::string, OpInfo>& infos) const override { infos = infos_; }
  // By type alone.
  bool CheckSupported(const Node& node, std::string& reason) const override;
  bool HasKernels() const override { return false; }
  Result<std::unique_ptr<Executable>> LoadExecutable(const Node& node) const override;

 private:
  std::map<std::string, OpInfo> infos_;
};

}  // namespace ge::local
