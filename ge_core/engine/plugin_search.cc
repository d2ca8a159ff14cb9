#include "ge_core/engine/plugin_search.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "ge_core/base/str.h"
#include "ge_core/base/str_split.h"

namespace ge {
namespace {

bool IsPluginName(std::string_view name) {
  return name.starts_with("lib") && (name.ends_with("_engine.so") || name.ends_with("_opskernel_builder.so"));
}

}  // namespace

std::string PluginSearchPath(std::string_view option_value) {
  if (!Trim(option_value).empty()) return std::string(Trim(option_value));
  const char* environment = std::getenv("GE_ENGINE_PATH");
  return environment ? environment : "";
}

Result<std::vector<std::string>> PluginFiles(std::string_view path) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (std::string_view entry : Split(path, ':')) {
    std::error_code error;
    const fs::path at(entry);
    if (!fs::exists(at, error))
      return NotFound(StrCat("engine search path: '", entry, "' does not exist; expected a plug-in library or a folder of such (in '", path,
                             "')"));
    if (!fs::is_directory(at, error)) {
      files.emplace_back(entry);
      continue;
    }
    std::vector<std::string> found;
    fs::directory_iterator it(at, error);
    for (; !error && it != fs::directory_iterator(); it.increment(error))
      if (IsPluginName(it->path().filename().string())) found.push_back(it->path().string());
    if (error) return NotFound(StrCat("engine search path: cannot read the folder '", entry, "': ", error.message()));
    std::ranges::sort(found);
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

Result<std::vector<std::string>> LocalEngineFiles() {
  namespace fs = std::filesystem;
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&LocalEngineFiles), &info) || !info.dli_fname)
    return NotFound("the folder of libge_core.so is unknown, and with it that of the local engine");
  const fs::path folder = fs::path(info.dli_fname).parent_path();
  std::vector<std::string> files;
  for (const char* name : {"libge_local_engine.so", "libge_local_opskernel_builder.so"}) {
    std::error_code error;
    const fs::path file = (folder.empty() ? fs::path(".") : folder) / name;
    if (!fs::exists(file, error)) return NotFound(StrCat("the local engine is incomplete: ", file.string(), " does not exist"));
    files.push_back(file.string());
  }
  return files;
}

}  // namespace ge
