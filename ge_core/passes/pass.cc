#include "ge_core/passes/pass.h"

namespace ge {
GraphPass::~GraphPass() = default;
NodePass::~NodePass() = default;
}  // namespace ge
