#include "ge_core/passes/pass_options.h"

#include "ge_core/base/nearest.h"
#include "ge_core/base/str.h"

namespace ge {
namespace {

constexpr std::string_view kLevel = "ge.oo.level";
constexpr std::string_view kConstantFolding = "ge.oo.constantFolding";
constexpr std::string_view kDeadCodeElimination = "ge.oo.deadCodeElimination";
constexpr std::string_view kDisable = "ge.disableOptimizations";
constexpr std::string_view kSwitch = "ge.optimizationSwitch";
constexpr std::string_view kKeys[] = {kLevel, kConstantFolding, kDeadCodeElimination, kDisable, kSwitch};

std::string_view Trim(std::string_view s) {
  while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
  while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
  return s;
}

// The trimmed, non-empty parts of `text`.
std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const size_t end = text.find(separator);
    const std::string_view part = Trim(text.substr(0, end));
    if (!part.empty()) out.push_back(part);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

Status BadValue(std::string_view key, std::string_view value, std::string_view expected) {
  return InvalidArgument(StrCat("option ", key, " = '", value, "': expected ", expected));
}

Result<bool> ParseBool(std::string_view key, std::string_view value) {
  if (value == "true") return true;
  if (value == "false") return false;
  return BadValue(key, value, "'true' or 'false'");
}

std::string_view LevelName(OptLevel level) { return level == OptLevel::kO1 ? "O1" : level == OptLevel::kO2 ? "O2" : "O3"; }

}  // namespace

std::span<const std::string_view> PassOptions::Keys() { return kKeys; }

Result<PassOptions> PassOptions::Parse(const std::map<std::string, std::string>& options, const PassRegistry& registry) {
  PassOptions out;
  auto canonical = [&](std::string_view key, std::string_view pass) -> Result<std::string> {
    Result<const PassEntry*> entry = registry.Get(pass);
    if (!entry.ok()) return std::move(entry).status().Annotate(StrCat("in option ", key));
    return (*entry)->name;
  };
  for (const auto& [key, value] : options) {
    const std::string_view v = Trim(value);
    if (key == kLevel) {
      if (v == "O1")
        out.level = OptLevel::kO1;
      else if (v == "O2")
        out.level = OptLevel::kO2;
      else if (v == "O3")
        out.level = OptLevel::kO3;
      else
        return BadValue(key, value, "'O1', 'O2' or 'O3'");
    } else if (key == kConstantFolding) {
      GE_ASSIGN_OR_RETURN(out.constant_folding, ParseBool(key, v));
    } else if (key == kDeadCodeElimination) {
      GE_ASSIGN_OR_RETURN(out.dead_code_elimination, ParseBool(key, v));
    } else if (key == kDisable) {
      for (std::string_view pass : Split(v, ',')) {
        GE_ASSIGN_OR_RETURN(std::string name, canonical(key, pass));
        out.disabled.insert(std::move(name));
      }
    } else if (key == kSwitch) {
      for (std::string_view item : Split(v, ';')) {
        const size_t colon = item.rfind(':');
        const std::string_view state = colon == std::string_view::npos ? std::string_view() : Trim(item.substr(colon + 1));
        if (state != "on" && state != "off")
          return BadValue(key, value, StrCat("'<pass>:on' or '<pass>:off' separated by ';', found '", item, "'"));
        GE_ASSIGN_OR_RETURN(std::string name, canonical(key, Trim(item.substr(0, colon))));
        out.switches[name] = state == "on";
      }
    } else {
      return InvalidArgument(StrCat("unknown option '", key, "'", DidYouMean(key, kKeys)));
    }
  }
  return out;
}

PassOptions::Decision PassOptions::Decide(const PassEntry& entry) const {
  if (disabled.contains(entry.name)) return {false, StrCat(kDisable, " names it")};
  if (auto it = switches.find(entry.name); it != switches.end()) return {it->second, it->second ? "" : StrCat(kSwitch, " says off")};
  if (entry.switch_option == kConstantFolding && !constant_folding) return {false, StrCat(kConstantFolding, " = false")};
  if (entry.switch_option == kDeadCodeElimination && !dead_code_elimination) return {false, StrCat(kDeadCodeElimination, " = false")};
  if (entry.level > level) return {false, StrCat("needs ", LevelName(entry.level), ", ", kLevel, " = ", LevelName(level))};
  return {true, {}};
}

}  // namespace ge
