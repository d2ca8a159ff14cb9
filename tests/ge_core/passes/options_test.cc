#include <gtest/gtest.h>

#include "ge_core/passes/option_def.h"
#include "ge_core/passes/pass_options.h"

namespace ge {
namespace {

TEST(Options, EveryRowIsSound) {
  std::set<std::string_view> keys, shown;
  for (const OptionDef& o : Options()) {
    EXPECT_TRUE(keys.insert(o.key).second) << o.key << " stands twice";
    EXPECT_TRUE(o.key.starts_with("ge.")) << o.key;
    EXPECT_TRUE(o.help.ends_with('.')) << o.key;
    EXPECT_TRUE(o.show_name.empty() || shown.insert(o.show_name).second) << o.show_name;
    EXPECT_NE(o.visibility, 0) << o.key;
    for (OptLevel level : {OptLevel::kO1, OptLevel::kO2, OptLevel::kO3})
      EXPECT_TRUE(CheckOption(o, o.DefaultFor(level)).ok()) << o.key << " = '" << o.DefaultFor(level) << "'";
  }
}

TEST(Options, TheNarrowerScopeWins) {
  auto r = ResolveOptions({{"ge.oo.level", "O1"}, {"ge.weights", "inputs"}}, {{"ge.oo.level", "O2"}}, {{"ge.fold.maxBytes", " 7 "}});
  ASSERT_TRUE(r.ok()) << r.message();
  EXPECT_EQ(r->at("ge.oo.level"), "O2");
  EXPECT_EQ(r->at("ge.weights"), "inputs");
  EXPECT_EQ(r->at("ge.fold.maxBytes"), "7");
  EXPECT_EQ(r->at("ge.oo.constantFolding"), "true");
  EXPECT_EQ(r->size(), Options().size());
}

TEST(Options, BadKeysAndValuesAreNamed) {
  const std::pair<OptionMap, std::string> cases[] = {
      {{{"ge.oo.levl", "O1"}}, "did you mean 'ge.oo.level'"},
      {{{"ge.oo.level", "O0"}}, "ge.oo.level = 'O0'"},
      {{{"ge.oo.deadCodeElimination", "yes"}}, "expected 'true' or 'false'"},
      {{{"ge.fold.maxBytes", "1.5"}}, "expected an integer"},
      {{{"ge.fold.maxBytes", "-1"}}, "0 or more"},
      {{{"ge.fold.maxBytes", "99999999999999999999"}}, "expected an integer"},
      {{{"ge.exec.memoryOptimizationPolicy", "memory"}}, "'MemoryPriority'"},
  };
  for (const auto& [options, text] : cases) {
    for (int scope = 0; scope < 3; ++scope) {
      auto r = scope == 0   ? ResolveOptions(options, {}, {})
               : scope == 1 ? ResolveOptions({}, options, {})
                            : ResolveOptions({}, {}, options);
      ASSERT_FALSE(r.ok());
      EXPECT_EQ(r.code(), Code::kInvalidArgument);
      EXPECT_NE(r.message().find(text), std::string::npos) << r.message();
    }
  }
}

TEST(Options, ScopesAndLevelsOfARow) {
  constexpr OptionDef row =
      REG_OPTION("ge.test").Kind(OptionKind::kSwitch).Levels(OptLevel::kO2).Default("true").DefaultAt(OptLevel::kO3, "false");
  EXPECT_EQ(row.DefaultFor(OptLevel::kO1), "false");  // not known there: off
  EXPECT_EQ(row.DefaultFor(OptLevel::kO2), "true");
  EXPECT_EQ(row.DefaultFor(OptLevel::kO3), "false");
}

TEST(Options, FoldingLimitsReachThePasses) {
  const PassRegistry registry = PassRegistry::WithBuiltins();
  auto o = PassOptions::Parse({{"ge.fold.maxBytes", "10"},
                               {"ge.fold.maxGeneratedBytes", "20"},
                               {"ge.fold.keep", "a*, ?b"},
                               {"ge.exec.memoryOptimizationPolicy", "MemoryPriority"},
                               {"ge.debug.maxChanges", "3"}},
                              registry);
  ASSERT_TRUE(o.ok()) << o.message();
  EXPECT_EQ(o->fold.max_growth_bytes, 10);
  EXPECT_EQ(o->fold.max_generated_bytes, 20);
  EXPECT_TRUE(o->fold.memory_priority);
  EXPECT_EQ(o->fold.keep, (std::vector<std::string>{"a*", "?b"}));
  EXPECT_EQ(o->max_changes, 3);
}

}  // namespace
}  // namespace ge
