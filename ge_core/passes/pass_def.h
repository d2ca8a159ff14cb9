#pragma once
// PassDef: what the system knows about one pass besides its code, declared beside the code as a constant-initialised row:
//
//   REG_PASS_OPTION(ConstantFoldingPass)
//       .Name("constant-folding").Doc("Computes ...").Levels(OptLevel::kO1).SwitchOpt("ge.oo.constantFolding").Node(&Make);
//
// A row becomes known by its line in passes.def. Level and switch mean what seed 000 gives them: a pass is on from its
// level upwards, and off while its switch is "false".
#include <array>
#include <memory>

#include "ge_core/passes/pass.h"

namespace ge {

struct PassContext;

// O1: folding and clean-up. O2: everything bit-exact. O3: everything.
enum class OptLevel : uint8_t { kO1 = 1, kO2 = 2, kO3 = 3 };
GE_API std::string_view Name(OptLevel level);

struct PassDef {
  std::string_view type;                      // "ConstantFoldingPass"; options and RUN lines may use it too
  std::string_view name;                      // "constant-folding"
  std::array<std::string_view, 8> aliases{};  // other documented names of the same work
  uint8_t num_aliases = 0;
  std::string_view doc;            // one sentence
  OptLevel level = OptLevel::kO1;  // on from this level upwards
  std::string_view switch_option;  // "ge.oo.constantFolding", or empty: the level alone decides
  bool on_by_default = true;       // false: only ge.optimizationSwitch turns it on
  bool bit_exact = true;           // false: results may differ within the tolerance class (O3)
  // Exactly one is set. A null result: the context lacks what the pass needs; the pipeline leaves it out and says so.
  std::unique_ptr<GraphPass> (*graph_pass)(const PassContext&) = nullptr;
  std::unique_ptr<NodePass> (*node_pass)(const PassContext&) = nullptr;

  constexpr explicit PassDef(std::string_view t) : type(t) {}
  constexpr PassDef Name(std::string_view n) const {
    PassDef d = *this;
    d.name = n;
    return d;
  }
  constexpr PassDef Alias(std::string_view n) const {
    PassDef d = *this;
    d.aliases[d.num_aliases++] = n;
    return d;
  }
  constexpr PassDef Doc(std::string_view s) const {
    PassDef d = *this;
    d.doc = s;
    return d;
  }
  constexpr PassDef Levels(OptLevel l) const {
    PassDef d = *this;
    d.level = l;
    return d;
  }
  constexpr PassDef SwitchOpt(std::string_view option) const {
    PassDef d = *this;
    d.switch_option = option;
    return d;
  }
  constexpr PassDef OnRequest() const {
    PassDef d = *this;
    d.on_by_default = false;
    return d;
  }
  // The results may differ from eager's in the last bits: O3 only.
  constexpr PassDef Tolerance() const {
    PassDef d = *this;
    d.bit_exact = false;
    d.level = OptLevel::kO3;
    return d;
  }
  constexpr PassDef Graph(std::unique_ptr<GraphPass> (*make)(const PassContext&)) const {
    PassDef d = *this;
    d.graph_pass = make;
    return d;
  }
  constexpr PassDef Node(std::unique_ptr<NodePass> (*make)(const PassContext&)) const {
    PassDef d = *this;
    d.node_pass = make;
    return d;
  }
  // For passes whose constructor takes nothing.
  template <typename P>
  constexpr PassDef Make() const {
    if constexpr (std::is_base_of_v<NodePass, P>)
      return Node([](const PassContext&) -> std::unique_ptr<NodePass> { return std::make_unique<P>(); });
    else
      return Graph([](const PassContext&) -> std::unique_ptr<GraphPass> { return std::make_unique<P>(); });
  }
};

}  // namespace ge

#define REG_PASS_OPTION(Type)                       \
  extern GE_API const ::ge::PassDef ge_pass_##Type; \
  constinit const ::ge::PassDef ge_pass_##Type = ::ge::PassDef(#Type)
