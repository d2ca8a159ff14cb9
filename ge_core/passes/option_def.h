#pragma once
// OptionDef: one option of the compiler, declared once, as a constant-initialised row of options.cc:
//
//   REG_OPTION("ge.oo.constantFolding").Levels(OptLevel::kO1).Default("true").Checker(IsSwitch)
//       .Visibility(kSession | kIrBuild | kAtc).ShowName("oo_constant_folding", OoCategory::kModelTuning).Help("...")
//
// Values are text everywhere below Python. Scopes are global, session and graph; the narrower wins.
#include <array>
#include <map>
#include <span>
#include <string>

#include "ge_core/passes/pass_def.h"

namespace ge {

using OptionMap = std::map<std::string, std::string>;

// Where an option may be given: Session and torch.compile; the graph-building API; the command line of ge-compile.
enum OoEntryPoint : uint8_t { kSession = 1, kIrBuild = 2, kAtc = 4 };
enum OptionScope : uint8_t { kScopeGlobal = 1, kScopeSession = 2, kScopeGraph = 4, kScopeAny = 7 };
enum class OoCategory : uint8_t { kGeneral, kFeature, kModelTuning, kOperatorTuning, kDebug };
// How a front end may offer the value: Python takes True for a switch, a list for names, a dict for switches.
enum class OptionKind : uint8_t { kText, kSwitch, kChoice, kInteger, kNames, kSwitches };
GE_API std::string_view Name(OptionKind kind);

struct GE_API OptionDef {
  std::string_view key;
  OptionKind kind = OptionKind::kText;
  std::array<std::string_view, 4> choices{};  // kChoice
  uint8_t num_choices = 0;
  std::string_view value;                                           // the default ...
  std::array<std::pair<OptLevel, std::string_view>, 2> value_at{};  // ... and at a level, where it differs
  uint8_t num_value_at = 0;
  OptLevel level = OptLevel::kO1;  // known from this level upwards: below it a switch counts as "false"
  // Says what is wrong with a value, or nothing. Runs after the check that `kind` implies.
  std::string (*checker)(std::string_view value) = nullptr;
  uint8_t visibility = kSession | kIrBuild | kAtc;
  uint8_t scopes = kScopeAny;
  std::string_view show_name;  // on a command line: --oo_constant_folding
  OoCategory category = OoCategory::kGeneral;
  std::string_view help;

  constexpr explicit OptionDef(std::string_view k) : key(k) {}
  constexpr OptionDef Kind(OptionKind k) const {
    OptionDef d = *this;
    d.kind = k;
    return d;
  }
  constexpr OptionDef Choice(std::string_view c) const {
    OptionDef d = *this;
    d.kind = OptionKind::kChoice;
    d.choices[d.num_choices++] = c;
    return d;
  }
  constexpr OptionDef Default(std::string_view v) const {
    OptionDef d = *this;
    d.value = v;
    return d;
  }
  constexpr OptionDef DefaultAt(OptLevel l, std::string_view v) const {
    OptionDef d = *this;
    d.value_at[d.num_value_at++] = {l, v};
    return d;
  }
  constexpr OptionDef Levels(OptLevel l) const {
    OptionDef d = *this;
    d.level = l;
    return d;
  }
  constexpr OptionDef Checker(std::string (*c)(std::string_view)) const {
    OptionDef d = *this;
    d.checker = c;
    return d;
  }
  constexpr OptionDef Visibility(uint8_t v) const {
    OptionDef d = *this;
    d.visibility = v;
    return d;
  }
  constexpr OptionDef Scopes(uint8_t s) const {
    OptionDef d = *this;
    d.scopes = s;
    return d;
  }
  constexpr OptionDef ShowName(std::string_view n, OoCategory c) const {
    OptionDef d = *this;
    d.show_name = n;
    d.category = c;
    return d;
  }
  constexpr OptionDef Help(std::string_view h) const {
    OptionDef d = *this;
    d.help = h;
    return d;
  }
  std::string_view DefaultFor(OptLevel l) const;
};

// All options, in the order of options.cc.
GE_API std::span<const OptionDef> Options();
GE_API const OptionDef* FindOption(std::string_view key);

// Checks one value; the message names key, value and what is accepted. `value` may carry blanks around it.
GE_API Status CheckOption(const OptionDef& def, std::string_view value);

// The value of every option: defaults at the level in force, overridden by `global`, `session` and `graph`, the narrower
// scope last. Fails on an unknown key (naming the nearest), on a bad value, on an option that its scope does not allow.
GE_API Result<OptionMap> ResolveOptions(const OptionMap& global, const OptionMap& session, const OptionMap& graph);

}  // namespace ge

#define REG_OPTION(key) ::ge::OptionDef(key)
