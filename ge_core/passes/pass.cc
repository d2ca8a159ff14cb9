#include "ge_core/passes/pass.h"

namespace ge {

GraphPass::~GraphPass() = default;  // out of line: one vtable, in libge_core.so

}  // namespace ge
