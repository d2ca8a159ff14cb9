#include "ge_core/ir/engine.h"

namespace ge {

// Out of line: one vtable, in libge_core.so.
Executable::~Executable() = default;
Engine::~Engine() = default;

}  // namespace ge
