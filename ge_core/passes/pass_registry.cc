#include "ge_core/passes/pass_registry.h"

#include "ge_core/base/nearest.h"
#include "ge_core/base/str.h"

namespace ge {

#define GE_PASS(Type) extern GE_API const PassDef ge_pass_##Type;
#include "ge_core/passes/passes.def"
#undef GE_PASS

std::string_view Name(OptLevel level) { return level == OptLevel::kO1 ? "O1" : level == OptLevel::kO2 ? "O2" : "O3"; }

Status PassRegistry::Add(const PassDef& def) {
  if (def.name.empty()) return InvalidArgument(StrCat("pass ", def.type, " has no name"));
  if ((def.graph_pass != nullptr) == (def.node_pass != nullptr))
    return InvalidArgument(StrCat("pass '", def.name, "' needs exactly one maker, of a graph pass or of a node pass"));
  std::vector<std::string_view> names = {def.name};
  if (!def.type.empty()) names.push_back(def.type);
  names.insert(names.end(), def.aliases.begin(), def.aliases.begin() + def.num_aliases);
  for (std::string_view n : names)
    if (auto it = by_name_.find(n); it != by_name_.end())
      return InvalidArgument(StrCat("two passes are called '", n, "': '", it->second->name, "' and '", def.name, "'"));
  defs_.push_back(&def);
  for (std::string_view n : names) by_name_.emplace(std::string(n), &def);
  return {};
}

const PassDef* PassRegistry::Find(std::string_view name) const {
  auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

Result<const PassDef*> PassRegistry::Get(std::string_view name) const {
  if (const PassDef* def = Find(name)) return def;
  std::vector<std::string_view> known;
  for (const auto& [n, def] : by_name_) known.push_back(n);
  return InvalidArgument(StrCat("unknown pass '", name, "'", DidYouMean(name, known)));
}

MadePass PassRegistry::Make(const PassDef& def, const PassContext& context) {
  MadePass made;
  if (def.graph_pass) made.graph = def.graph_pass(context);
  if (def.node_pass) made.node = def.node_pass(context);
  return made;
}

PassRegistry PassRegistry::WithBuiltins() {
  PassRegistry registry;
#define GE_PASS(Type) GE_CHECK(registry.Add(ge_pass_##Type).ok(), "two built-in passes share a name: " #Type);
#include "ge_core/passes/passes.def"
#undef GE_PASS
  return registry;
}

}  // namespace ge
