#pragma once
// PluginEngine: a store of a plug-in, seen by placement as any other engine.
#include "ge_core/engine/engine_plugin.h"

namespace ge {

class GE_API PluginEngine final : public Engine {
 public:
  // Checks what the store says about itself: at least one operator, one engine name, opKernelLib equal to `op_kernel_lib`, nothing
  // asynchronous. `store` is borrowed; `library` is named in messages.
  static Result<std::unique_ptr<PluginEngine>> Make(std::string op_kernel_lib, const OpsKernelInfoStore& store, std::string library);

  std::string_view name() const override { return name_; }
  // Refuses, before the store is asked, what plug-in kernels cannot be given: operators the store does not list, open shapes,
  // values that are no tensors, and layouts other than row-major.
  Support Supports(const Node& node) const override;
  Result<std::unique_ptr<Executable>> Load(const Node& node) const override;
  bool has_kernels() const override { return store_->HasKernels(); }
  const OpsKernelBuilder* builder() const override { return builder_; }
  // The builder of its kernel library, once the loader has met one.
  void SetBuilder(const OpsKernelBuilder* builder) { builder_ = builder; }

  const std::string& op_kernel_lib() const { return op_kernel_lib_; }
  const std::string& library() const { return library_; }
  const std::map<std::string, OpInfo>& infos() const { return infos_; }
  // The smallest computeCost of its operators: cheaper engines are asked first.
  int cost() const;

 private:
  PluginEngine() = default;
  std::string name_, op_kernel_lib_, library_;
  const OpsKernelInfoStore* store_ = nullptr;
  const OpsKernelBuilder* builder_ = nullptr;
  std::map<std::string, OpInfo> infos_;
};

}  // namespace ge
