#pragma once
// Where plug-ins are looked for: the entries of a search path, as files to open.
#include <string>
#include <vector>

#include "ge_core/base/status.h"

namespace ge {

// The search path in force: the value of ge.engines.path, else the environment variable GE_ENGINE_PATH, else nothing.
GE_API std::string PluginSearchPath(std::string_view option_value);

// `path`: entries separated by ':'. A file is taken as it is. A folder stands for its files lib*_engine.so and
// lib*_opskernel_builder.so, sorted by name; other files in it are none of the loader's business, because the folder may serve
// OpenEngine too (npu_runtime/engine_library.h). An entry that does not exist is NotFound.
GE_API Result<std::vector<std::string>> PluginFiles(std::string_view path);

// The two libraries of the local engine beside libge_core.so, and why they are not there where they are missing.
GE_API Result<std::vector<std::string>> LocalEngineFiles();

}  // namespace ge
