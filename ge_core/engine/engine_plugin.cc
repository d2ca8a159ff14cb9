#include "ge_core/engine/engine_plugin.h"

#include <fmt/format.h>

#include "ge_core/engine/ops_kernel_builder.h"

namespace ge {

// Out of line: one vtable each, in libge_core.so.
OpsKernelInfoStore::~OpsKernelInfoStore() = default;
GraphOptimizer::~GraphOptimizer() = default;
OpsKernelBuilder::~OpsKernelBuilder() = default;
TaskContext::~TaskContext() = default;

std::string ToString(const PluginAbi& abi) {
  return fmt::format("version {}, layout {:08x}, compiler ABI {}, std::string ABI {}", abi.version, abi.layout, abi.compiler, abi.strings);
}

}  // namespace ge
