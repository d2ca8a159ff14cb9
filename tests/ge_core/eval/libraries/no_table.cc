// A host CPU library whose entry point gives no table.
#include "ge_core/ir/host_cpu_library.h"

extern "C" GE_API const ge::HostCpuLibrary* ge_host_cpu_library() { return nullptr; }
