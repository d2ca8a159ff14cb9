#include "ge_core/compile/pass_states.h"

#include "ge_core/base/str.h"

namespace ge {

PassState PassStates::StateOf(std::string_view pass, const Node& node) const {
  PassState state;
  const PassDef* def = registry_.Find(pass);
  if (!def) return state;
  state.known = true;
  const PassOptions::Decision decision = options_.Decide(*def);
  state.on = decision.on;
  if (!decision.on)
    state.gate = decision.why;
  else if (!def->switch_option.empty())
    state.gate = StrCat(def->switch_option, " = ", OptionValue(def->switch_option));
  else
    state.gate = StrCat("ge.oo.level = ", Name(options_.level));
  const std::string prefix = StrCat(def->name, ": ");
  if (auto it = reasons_.find(node.name()); it != reasons_.end())
    for (const std::string& reason : it->second)
      if (reason.starts_with(prefix)) state.reason = reason.substr(prefix.size());
  return state;
}

std::string PassStates::OptionValue(std::string_view key) const {
  const auto it = options_.values.find(std::string(key));
  return it == options_.values.end() ? std::string() : it->second;
}

}  // namespace ge
