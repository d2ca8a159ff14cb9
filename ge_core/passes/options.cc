// The options of the compiler. One row each; docs/options.md is generated from this table.
#include <charconv>
#include <vector>

#include "ge_core/base/nearest.h"
#include "ge_core/base/str.h"
#include "ge_core/base/str_split.h"
#include "ge_core/passes/option_def.h"

namespace ge {
namespace {

std::string IsByteCount(std::string_view v) { return v.starts_with('-') ? "expected a number of bytes, 0 or more" : ""; }

constexpr OptionDef kOptions[] = {
    REG_OPTION("ge.oo.level")
        .Choice("O1")
        .Choice("O2")
        .Choice("O3")
        .Default("O3")
        .ShowName("oo_level", OoCategory::kGeneral)
        .Help("O1 folds constants and cleans up; O2 does all that keeps every bit; O3 also what keeps the tolerance class."),
    REG_OPTION("ge.oo.constantFolding")
        .Kind(OptionKind::kSwitch)
        .Levels(OptLevel::kO1)
        .Default("true")
        .ShowName("oo_constant_folding", OoCategory::kModelTuning)
        .Help("Compute at compile time what depends on constants only."),
    REG_OPTION("ge.oo.deadCodeElimination")
        .Kind(OptionKind::kSwitch)
        .Levels(OptLevel::kO1)
        .Default("true")
        .ShowName("oo_dead_code_elimination", OoCategory::kModelTuning)
        .Help("Remove nodes that nothing depends on and branches that are never taken."),
    REG_OPTION("ge.disableOptimizations")
        .Kind(OptionKind::kNames)
        .ShowName("disable_optimizations", OoCategory::kDebug)
        .Help("Passes that never run, whatever the other options say: names, comma-separated."),
    REG_OPTION("ge.optimizationSwitch")
        .Kind(OptionKind::kSwitches)
        .ShowName("optimization_switch", OoCategory::kDebug)
        .Help("Switch single passes, 'PassA:on;PassB:off'; wins over ge.oo.*."),
    REG_OPTION("ge.fold.maxBytes")
        .Kind(OptionKind::kInteger)
        .Default("1048576")
        .Checker(IsByteCount)
        .ShowName("fold_max_bytes", OoCategory::kModelTuning)
        .Help("A folded result may have this many bytes, or as many as its operands; a larger one stays a computation."),
    REG_OPTION("ge.fold.maxGeneratedBytes")
        .Kind(OptionKind::kInteger)
        .Default("65536")
        .Checker(IsByteCount)
        .ShowName("fold_max_generated_bytes", OoCategory::kModelTuning)
        .Help("The same for nodes without operands, such as a filled tensor."),
    REG_OPTION("ge.const.maxBytes")
        .Kind(OptionKind::kInteger)
        .Default("0")
        .Checker(IsByteCount)
        .ShowName("const_max_bytes", OoCategory::kModelTuning)
        .Help("A constant of more bytes is split along its first axis into several, joined at run time; 0: never."),
    REG_OPTION("ge.fold.keep")
        .Kind(OptionKind::kNames)
        .ShowName("fold_keep", OoCategory::kModelTuning)
        .Help("Names of nodes that are not folded, comma-separated, with '*' and '?'."),
    REG_OPTION("ge.exec.memoryOptimizationPolicy")
        .Choice("")
        .Choice("MemoryPriority")
        .ShowName("memory_optimization_policy", OoCategory::kFeature)
        .Help("MemoryPriority: a constant of more than 8 elements with several readers is not folded, which would copy it."),
    REG_OPTION("ge.exec.engines")
        .Kind(OptionKind::kNames)
        .Visibility(kSession)
        .Help("Engines that may take nodes, in this order; the first that supports a node wins. Empty: all."),
    REG_OPTION("ge.engines.path")
        .Visibility(kSession)
        .Help(
            "Engine plug-ins: libraries, or folders of lib*_engine.so and lib*_opskernel_builder.so, colon-separated. Empty: "
            "GE_ENGINE_PATH."),
    REG_OPTION("ge.local.strict")
        .Kind(OptionKind::kSwitch)
        .Default("false")
        .ShowName("", OoCategory::kDebug)
        .Help("An operator that a pass should have removed fails the compile, also where the pass is off or says why it stays."),
    REG_OPTION("ge.exec.device")
        .Choice("host")
        .Choice("sim")
        .Default("host")
        .Visibility(kSession)
        .Help("The device that runs the model; sim: a simulated accelerator that checks every task, for tests."),
    REG_OPTION("ge.weights")
        .Choice("auto")
        .Choice("checked")
        .Choice("inputs")
        .Default("auto")
        .Visibility(kSession)
        .Help("auto: constants, and writes to them are noticed; checked: all bytes are compared at each call; inputs: never constants."),
    REG_OPTION("ge.import.strict")
        .Kind(OptionKind::kSwitch)
        .Default("false")
        .Visibility(kSession)
        .ShowName("", OoCategory::kDebug)
        .Help("Refuse a node whose inferred type differs from PyTorch's metadata, instead of running it as a fallback node."),
    REG_OPTION("ge.debug.verify")
        .Kind(OptionKind::kSwitch)
        .Default("false")
        .ShowName("debug_verify", OoCategory::kDebug)
        .Help("Verify the graph, and that the pass told truly whether it changed it, after each pass."),
    REG_OPTION("ge.debug.check")
        .Choice("")
        .Choice("node")
        .Visibility(kSession)
        .ShowName("", OoCategory::kDebug)
        .Help("node: run every node beside eager's kernel on the unoptimised graph, and name the first that diverges."),
    REG_OPTION("ge.debug.maxChanges")
        .Kind(OptionKind::kInteger)
        .Default("-1")
        .ShowName("debug_max_changes", OoCategory::kDebug)
        .Help("Passes stop after so many changes; -1: never. What bisection bounds."),
};

Status Bad(const OptionDef& def, std::string_view value, std::string_view expected) {
  return InvalidArgument(StrCat("option ", def.key, " = '", value, "': ", expected));
}

std::string_view ScopeName(uint8_t scope) { return scope == kScopeGlobal ? "global" : scope == kScopeSession ? "session" : "graph"; }

}  // namespace

std::string_view Name(OptionKind kind) {
  constexpr std::string_view kNames[] = {"text", "switch", "choice", "integer", "names", "switches"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view OptionDef::DefaultFor(OptLevel l) const {
  if (l < level) return kind == OptionKind::kSwitch ? "false" : "";
  for (uint8_t i = 0; i < num_value_at; ++i)
    if (value_at[i].first == l) return value_at[i].second;
  return value;
}

std::span<const OptionDef> Options() { return kOptions; }

const OptionDef* FindOption(std::string_view key) {
  for (const OptionDef& d : kOptions)
    if (d.key == key) return &d;
  return nullptr;
}

Status CheckOption(const OptionDef& def, std::string_view text) {
  const std::string_view value = Trim(text);
  switch (def.kind) {
    case OptionKind::kSwitch:
      if (value != "true" && value != "false") return Bad(def, text, "expected 'true' or 'false'");
      break;
    case OptionKind::kChoice: {
      bool known = false;
      std::vector<std::string> quoted;
      for (uint8_t i = 0; i < def.num_choices; ++i) {
        known |= def.choices[i] == value;
        quoted.push_back(StrCat("'", def.choices[i], "'"));
      }
      if (!known) return Bad(def, text, StrCat("expected ", Join(quoted, ", ")));
      break;
    }
    case OptionKind::kInteger: {
      int64_t number = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error != std::errc() || end != value.data() + value.size()) return Bad(def, text, "expected an integer");
      break;
    }
    case OptionKind::kText:
    case OptionKind::kNames:
    case OptionKind::kSwitches: break;  // names are checked against the registry, by PassOptions
  }
  if (def.checker)
    if (std::string wrong = def.checker(value); !wrong.empty()) return Bad(def, text, wrong);
  return {};
}

Result<OptionMap> ResolveOptions(const OptionMap& global, const OptionMap& session, const OptionMap& graph) {
  OptionMap given;
  const std::pair<uint8_t, const OptionMap*> scopes[] = {{kScopeGlobal, &global}, {kScopeSession, &session}, {kScopeGraph, &graph}};
  for (const auto& [scope, options] : scopes)
    for (const auto& [key, value] : *options) {
      const OptionDef* def = FindOption(key);
      if (!def) {
        std::vector<std::string_view> keys;
        for (const OptionDef& d : kOptions) keys.push_back(d.key);
        return InvalidArgument(StrCat("unknown option '", key, "'", DidYouMean(key, keys)));
      }
      if (!(def->scopes & scope)) return InvalidArgument(StrCat("option ", key, " cannot be set at ", ScopeName(scope), " scope"));
      GE_RETURN_IF_ERROR(CheckOption(*def, value));
      given[key] = std::string(Trim(value));
    }
  auto it = given.find("ge.oo.level");
  const OptLevel level = it == given.end() || it->second == "O3" ? OptLevel::kO3 : it->second == "O1" ? OptLevel::kO1 : OptLevel::kO2;
  OptionMap out;
  for (const OptionDef& d : kOptions) {
    auto own = given.find(std::string(d.key));
    out.emplace(d.key, own != given.end() ? own->second : std::string(d.DefaultFor(level)));
  }
  return out;
}

}  // namespace ge
