#pragma once
// Opens an engine that lives in a library of its own (libge_onednn.so, libge_jit.so, a plug-in). An absent library is
// an error value, not a crash: the caller goes on with fewer engines.
#include "ge_core/ir/engine.h"

namespace ge {

// `path_or_name`: a path (it contains a slash), or a name such as "onednn" that stands for libge_onednn.so, looked for
// in the folders of GE_ENGINE_PATH (colon separated) and then beside libnpu_runtime.so. The library must export
// `extern "C" const ge::Engine* ge_engine_create()`; it stays open for the process, and the engine is its singleton.
// A second call for the same library returns the same engine.
GE_API Result<const Engine*> OpenEngine(const std::string& path_or_name);

}  // namespace ge
