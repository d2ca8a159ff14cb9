#include "ge_core/engine/local/ops_kernel_info_store.h"

#include "ge_core/base/str.h"
#include "ge_core/engine/local/names.h"
#include "ge_core/engine/local/op_factory.h"

namespace ge::local {

GeLocalOpsKernelInfoStore::GeLocalOpsKernelInfoStore() {
  const OpInfo info{.engine = std::string(kEngineName), .opKernelLib = kOpStoreName};  // cost 0; nothing partial, asynchronous, atomic
  for (std::string_view type : OpFactory::Types()) infos_.emplace(type, info);
}

bool GeLocalOpsKernelInfoStore::CheckSupported(const Node& node, std::string& reason) const {
  if (infos_.contains(std::string(node.op().name))) return true;
  reason = StrCat(node.op().name, " is none of its operators");
  return false;
}

Result<std::unique_ptr<Executable>> GeLocalOpsKernelInfoStore::LoadExecutable(const Node& node) const {
  return Internal(StrCat(kEngineName, " has no kernels; asked for that of ", node.op().name, " '", node.name(), "'"));
}

}  // namespace ge::local
