#include "npu_runtime/engine_library.h"

#include <dlfcn.h>

#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ge {
namespace {

// The folder of the library (or program) that holds this function.
std::string OwnFolder() {
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(&OpenEngine), &info) || !info.dli_fname) return {};
  const std::string path = info.dli_fname;
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::vector<std::string> Candidates(const std::string& path_or_name) {
  if (path_or_name.find('/') != std::string::npos) return {path_or_name};
  const std::string file = fmt::format("libge_{}.so", path_or_name);
  std::vector<std::string> paths;
  if (const char* folders = std::getenv("GE_ENGINE_PATH")) {
    std::string_view rest = folders;
    while (!rest.empty()) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
      if (!folder.empty()) paths.push_back(fmt::format("{}/{}", folder, file));
    }
  }
  if (std::string own = OwnFolder(); !own.empty()) paths.push_back(fmt::format("{}/{}", own, file));
  return paths;
}

}  // namespace

Result<const Engine*> OpenEngine(const std::string& path_or_name) {
  if (path_or_name.empty()) return InvalidArgument("cannot open an engine: its name is empty");
  std::vector<std::string> reasons;
  for (const std::string& path : Candidates(path_or_name)) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      const char* error = dlerror();
      reasons.emplace_back(error ? error : path);
      continue;  // the next folder may hold it
    }
    using Create = const Engine* (*)();
    const auto create = reinterpret_cast<Create>(dlsym(library, "ge_engine_create"));
    if (!create) {
      dlclose(library);
      return NotFound(fmt::format("{} is not an engine: it does not export ge_engine_create", path));
    }
    // From here on the library stays open: the engine and its kernels live for the process.
    const Engine* engine = create();
    if (!engine) return FailedPrecondition(fmt::format("{}: ge_engine_create returned no engine; this CPU may lack what it needs", path));
    return engine;
  }
  return NotFound(fmt::format("engine '{}' cannot be opened: {}", path_or_name, fmt::join(reasons, "; ")));
}

}  // namespace ge
