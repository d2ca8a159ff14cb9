#include "ge_core/passes/pass_options.h"

#include <charconv>

#include "ge_core/base/str.h"
#include "ge_core/base/str_split.h"

namespace ge {
namespace {

constexpr std::string_view kDisable = "ge.disableOptimizations", kSwitch = "ge.optimizationSwitch";

int64_t Integer(const std::string& text) {
  int64_t v = 0;
  std::from_chars(text.data(), text.data() + text.size(), v);
  return v;
}

}  // namespace

Result<PassOptions> PassOptions::Parse(const OptionMap& options, const PassRegistry& registry) {
  GE_ASSIGN_OR_RETURN(OptionMap resolved, ResolveOptions({}, {}, options));
  return FromResolved(std::move(resolved), registry);
}

Result<PassOptions> PassOptions::FromResolved(OptionMap resolved, const PassRegistry& registry) {
  PassOptions out;
  out.values = std::move(resolved);
  auto value = [&](std::string_view key) -> const std::string& {
    auto it = out.values.find(std::string(key));
    GE_CHECK(it != out.values.end(), "options are resolved first");
    return it->second;
  };
  auto canonical = [&](std::string_view key, std::string_view pass) -> Result<std::string> {
    Result<const PassDef*> def = registry.Get(pass);
    if (!def.ok()) return std::move(def).status().Annotate(StrCat("in option ", key));
    return std::string((*def)->name);
  };
  const std::string& level = value("ge.oo.level");
  out.level = level == "O1" ? OptLevel::kO1 : level == "O2" ? OptLevel::kO2 : OptLevel::kO3;
  for (std::string_view pass : Split(value(kDisable), ',')) {
    GE_ASSIGN_OR_RETURN(std::string name, canonical(kDisable, pass));
    out.disabled.insert(std::move(name));
  }
  for (std::string_view item : Split(value(kSwitch), ';')) {
    const size_t colon = item.rfind(':');
    const std::string_view state = colon == std::string_view::npos ? std::string_view() : Trim(item.substr(colon + 1));
    if (state != "on" && state != "off")
      return InvalidArgument(StrCat("option ", kSwitch, " = '", value(kSwitch),
                                    "': expected '<pass>:on' or '<pass>:off' separated by ';', found '", item, "'"));
    GE_ASSIGN_OR_RETURN(std::string name, canonical(kSwitch, Trim(item.substr(0, colon))));
    out.switches[name] = state == "on";
  }
  out.fold.max_growth_bytes = Integer(value("ge.fold.maxBytes"));
  out.fold.max_generated_bytes = Integer(value("ge.fold.maxGeneratedBytes"));
  out.fold.max_const_bytes = Integer(value("ge.const.maxBytes"));
  out.fold.memory_priority = value("ge.exec.memoryOptimizationPolicy") == "MemoryPriority";
  for (std::string_view pattern : Split(value("ge.fold.keep"), ',')) out.fold.keep.emplace_back(pattern);
  out.max_changes = Integer(value("ge.debug.maxChanges"));
  out.verify = value("ge.debug.verify") == "true";
  return out;
}

PassOptions::Decision PassOptions::Decide(const PassDef& def) const {
  const std::string name(def.name);
  if (disabled.contains(name)) return {false, StrCat(kDisable, " names it")};
  if (auto it = switches.find(name); it != switches.end()) return {it->second, it->second ? "" : StrCat(kSwitch, " says off")};
  if (!def.on_by_default) return {false, StrCat("runs on request only: ", kSwitch, " = ", def.name, ":on")};
  if (!def.switch_option.empty())
    if (auto it = values.find(std::string(def.switch_option)); it != values.end() && it->second == "false")
      return {false, StrCat(def.switch_option, " = false")};
  if (def.level > level) return {false, StrCat("needs ", Name(def.level), ", ge.oo.level = ", Name(level))};
  return {true, {}};
}

}  // namespace ge
