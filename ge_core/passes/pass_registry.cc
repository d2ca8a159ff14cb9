#include "ge_core/passes/pass_registry.h"

#include "ge_core/base/nearest.h"
#include "ge_core/base/str.h"

namespace ge {

Status PassRegistry::Add(PassEntry entry) {
  if (!entry.make) return InvalidArgument(StrCat("pass '", entry.name, "' has no maker"));
  std::vector<std::string> names = entry.aliases;
  names.insert(names.begin(), entry.name);
  for (size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) return InvalidArgument("a pass needs a name");
    bool taken = by_name_.contains(names[i]);
    for (size_t k = 0; k < i; ++k) taken |= names[k] == names[i];
    if (taken) return InvalidArgument(StrCat("pass '", entry.name, "': the name '", names[i], "' is taken"));
  }
  entries_.push_back(std::make_unique<PassEntry>(std::move(entry)));
  for (std::string& name : names) by_name_.emplace(std::move(name), entries_.back().get());
  return {};
}

const PassEntry* PassRegistry::Find(std::string_view name) const {
  auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

Result<const PassEntry*> PassRegistry::Get(std::string_view name) const {
  if (const PassEntry* entry = Find(name)) return entry;
  std::vector<std::string_view> names;
  for (const auto& [known, entry] : by_name_) names.push_back(known);
  return InvalidArgument(StrCat("unknown pass '", name, "'", DidYouMean(name, names)));
}

Result<std::unique_ptr<GraphPass>> PassRegistry::Create(std::string_view name, const PassContext& context) const {
  GE_ASSIGN_OR_RETURN(const PassEntry* entry, Get(name));
  std::unique_ptr<GraphPass> pass = entry->make(context);
  if (!pass)
    return FailedPrecondition(StrCat("pass '", entry->name, "' cannot be made: no host evaluation engine or no engine list was given"));
  return pass;
}

}  // namespace ge
