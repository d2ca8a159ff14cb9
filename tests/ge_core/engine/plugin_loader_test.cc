// Plug-ins from real shared libraries (tests/ge_core/engine/plugins): what loads, and what every wrong one is told.
#include "ge_core/engine/plugin_loader.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "ge_core/engine/plugin_search.h"
#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"

namespace ge {
namespace {

namespace fs = std::filesystem;

std::string Fixture(const std::string& name) { return std::string(GE_TEST_LIBRARY_DIR) + "/libtest_plugin_" + name + ".so"; }
const PluginOptions kPluginTestOptions{{"ge.oo.level", "O3"}};

// What a fixture has logged; it must be open.
std::string LogOf(const std::string& file) {
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (!handle) return "(not open)";
  const auto read = reinterpret_cast<const char* (*)()>(dlsym(handle, "fixture_read_log"));
  std::string log = read ? read() : "(no log)";
  dlclose(handle);
  return log;
}

// The message of a load that must fail; every one names the file.
std::string Refusal(PluginLoader& loader, const std::string& file, Code code) {
  const Result<const Plugin*> plugin = loader.Load(file, kPluginTestOptions);
  EXPECT_FALSE(plugin.ok()) << file;
  if (plugin.ok()) return {};
  EXPECT_EQ(static_cast<int>(plugin.code()), static_cast<int>(code)) << plugin.message();
  EXPECT_NE(plugin.message().find(fs::path(file).filename().string()), std::string::npos) << plugin.message();
  return plugin.message();
}

#define EXPECT_SAYS(message, part) EXPECT_NE((message).find(part), std::string::npos) << (message)

// A folder of its own, gone at the end.
class PluginFolder {
 public:
  PluginFolder() {
    std::string form = (fs::temp_directory_path() / "ge_plugins_XXXXXX").string();
    path_ = mkdtemp(form.data());
  }
  ~PluginFolder() { fs::remove_all(path_); }
  std::string path(const std::string& name = {}) const { return name.empty() ? path_ : path_ + "/" + name; }
  void Link(const std::string& fixture, const std::string& name) const { fs::create_symlink(Fixture(fixture), path(name)); }

 private:
  std::string path_;
};

std::unique_ptr<Module> Parse(std::string_view text) {
  Result<std::unique_ptr<Module>> module = ParseModule(text, HostOps());
  EXPECT_TRUE(module.ok()) << module.message();
  return *std::move(module);
}

const Node& FirstOf(const Module& module, std::string_view op) {
  for (const Node* n : module.entry().nodes())
    if (n->Is(op)) return *n;
  ADD_FAILURE() << "no node " << op;
  return *module.entry().first();
}

TEST(PluginLoader, AGoodPluginGivesItsEngineOptimizerAndBuilderAndIsFinalized) {
  const std::string before = LogOf(Fixture("good"));
  {
    PluginLoader loader;
    Result<const Plugin*> plugin = loader.Load(Fixture("good"), kPluginTestOptions);
    ASSERT_TRUE(plugin.ok()) << plugin.message();
    ASSERT_EQ((*plugin)->engines.size(), 1u);
    const PluginEngine& engine = *(*plugin)->engines[0];
    EXPECT_EQ(engine.name(), "TEST_NEG");
    EXPECT_EQ(engine.op_kernel_lib(), "TEST_NEG_OP_STORE");
    EXPECT_EQ(engine.cost(), 5);
    EXPECT_FALSE(engine.allocates_outputs());
    ASSERT_EQ((*plugin)->optimizers.size(), 1u);
    EXPECT_EQ((*plugin)->optimizers[0]->name(), "test-neg-optimizer");
    EXPECT_EQ(loader.FindEngine("TEST_NEG"), &engine);
    EXPECT_EQ(loader.FindEngine("TEST_OTHER"), nullptr);
    EXPECT_NE(loader.FindBuilder("TEST_NEG_OP_STORE"), nullptr);
    EXPECT_EQ(loader.FindBuilder("TEST_OTHER"), nullptr);

    Result<const Plugin*> again = loader.Load(Fixture("good"), kPluginTestOptions);
    ASSERT_TRUE(again.ok()) << again.message();
    EXPECT_EQ(*again, *plugin);
    EXPECT_EQ(loader.plugins().size(), 1u);
  }
  const std::string after = LogOf(Fixture("good"));
  EXPECT_EQ(after.substr(before == "(not open)" ? 0 : before.size()), "Initialize(O3) Finalize ");
}

TEST(PluginLoader, TheEngineRefusesBeforeTheStoreWhatNoPluginKernelCanBeGiven) {
  PluginLoader loader;
  Result<const Plugin*> plugin = loader.Load(Fixture("good"), kPluginTestOptions);
  ASSERT_TRUE(plugin.ok()) << plugin.message();
  const PluginEngine& engine = *(*plugin)->engines[0];
  const auto ask = [&](const std::string& type, const std::string& op) {
    const auto module = Parse("graph @main(%x: " + type + ") {\n  %y = " + op + "(%x) : " + type + "\n  return %y\n}\n");
    return engine.Supports(FirstOf(*module, op));
  };
  EXPECT_TRUE(ask("f32[2,3]", "Neg").ok);
  EXPECT_EQ(ask("f32[2,3]", "Relu").reason, "Relu is none of its operators");
  EXPECT_EQ(ask("f32[s0,3]", "Neg").reason, "input 0 is f32[s0,3]: its shape is open");
  EXPECT_EQ(ask("f16[2,3]", "Neg").reason, "it computes in f32 only, input 0 is f16[2,3]");
  const auto strided = Parse("graph @main(%x: f32[2,3]{1,2}) {\n  %y = Neg(%x) : f32[2,3]\n  return %y\n}\n");
  EXPECT_EQ(engine.Supports(FirstOf(*strided, "Neg")).reason, "input 0 is f32[2,3]{1,2}: plug-in kernels take row-major memory");
}

TEST(PluginLoader, AtomicKernelsFindZerosInTheirResults) {
  PluginLoader loader;
  Result<const Plugin*> plugin = loader.Load(Fixture("cheap"), kPluginTestOptions);
  ASSERT_TRUE(plugin.ok()) << plugin.message();
  const auto module = Parse("graph @main(%x: f32[2]) {\n  %y = Neg(%x) : f32[2]\n  return %y\n}\n");
  Result<std::unique_ptr<Executable>> kernel = (*plugin)->engines[0]->Load(FirstOf(*module, "Neg"));
  ASSERT_TRUE(kernel.ok()) << kernel.message();
  float in[2] = {1, 2}, out[2] = {7, 8};
  Slot x, y;
  x.data = in, y.data = out;
  Slot* inputs[] = {&x};
  Slot* outputs[] = {&y};
  KernelContext context;
  context.inputs = inputs, context.outputs = outputs;
  for (int run = 0; run < 2; ++run) {
    ASSERT_TRUE((*kernel)->Run(context).ok());
    EXPECT_EQ(out[0], 1);
    EXPECT_EQ(out[1], 1);
  }
}

TEST(PluginLoader, EveryWrongLibraryIsToldWhatIsWrong) {
  PluginLoader loader;
  EXPECT_SAYS(Refusal(loader, Fixture("absent"), Code::kNotFound), "cannot be opened");
  PluginFolder folder;
  std::ofstream(folder.path("text.so")) << "no library";
  EXPECT_SAYS(Refusal(loader, folder.path("text.so"), Code::kNotFound), "cannot be opened");
  EXPECT_SAYS(Refusal(loader, Fixture("no_tag"), Code::kNotFound), "does not export ge_engine_plugin_abi");
  EXPECT_SAYS(Refusal(loader, Fixture("missing_symbol"), Code::kNotFound), "does not export Finalize");
  const std::string abi = Refusal(loader, Fixture("other_abi"), Code::kFailedPrecondition);
  EXPECT_SAYS(abi, "found version " + std::to_string(kEnginePluginAbiVersion + 1));
  EXPECT_SAYS(abi, "expected version " + std::to_string(kEnginePluginAbiVersion));
  const std::string initialize = Refusal(loader, Fixture("failing_initialize"), Code::kFailedPrecondition);
  EXPECT_SAYS(initialize, "no licence for this machine");
  EXPECT_SAYS(initialize, "Initialize of engine plug-in");
  EXPECT_TRUE(loader.plugins().empty()) << "a refused plug-in stayed in the loader";
}

TEST(PluginLoader, AStoreThatContradictsItselfIsRefusedAndFinalized) {
  const std::pair<const char*, const char*> cases[] = {
      {"empty", "lists no operator"},          {"two engines", "two engines, 'TEST_BAD' and 'TEST_WORSE' (Relu)"},
      {"no engine", "Neg names no engine"},    {"other library", "names the kernel library 'SOMETHING_ELSE'"},
      {"asynchronous", "sets flagAsync"},      {"blank in the name", "has a blank or comma"},
      {"null", "'TEST_BAD_OP_STORE' is null"},
  };
  PluginLoader loader;
  std::string finalized;
  for (const auto& [what, says] : cases) {
    setenv("TEST_BAD_STORE", what, 1);
    EXPECT_SAYS(Refusal(loader, Fixture("bad_store"), Code::kInvalidArgument), says);
    EXPECT_EQ(LogOf(Fixture("bad_store")), finalized += "Finalize ") << what;
  }
  unsetenv("TEST_BAD_STORE");
}

TEST(PluginLoader, OneNameHasOneOwner) {
  PluginLoader loader;
  ASSERT_TRUE(loader.Load(Fixture("good"), kPluginTestOptions).ok());
  const std::string message = Refusal(loader, Fixture("good_twin"), Code::kInvalidArgument);
  EXPECT_SAYS(message, "registers engine 'TEST_NEG'");
  EXPECT_SAYS(message, Fixture("good") + " has registered already");
  EXPECT_EQ(loader.plugins().size(), 1u);
}

TEST(PluginLoader, ALibraryMayHoldABuilderAlone) {
  PluginLoader loader;
  Result<const Plugin*> plugin = loader.Load(Fixture("builder_only"), kPluginTestOptions);
  ASSERT_TRUE(plugin.ok()) << plugin.message();
  EXPECT_TRUE((*plugin)->engines.empty());
  EXPECT_NE(loader.FindBuilder("TEST_LONELY_OP_STORE"), nullptr);
}

TEST(PluginLoader, ASearchPathGivesSeveralPluginsCheapestFirst) {
  PluginFolder folder;
  folder.Link("good", "libfirst_engine.so");
  folder.Link("builder_only", "liblonely_opskernel_builder.so");
  folder.Link("failing_initialize", "libnot_of_this_form.so");
  std::ofstream(folder.path("README")) << "plug-ins";
  PluginLoader loader;
  Result<std::vector<const Plugin*>> plugins = loader.LoadPath(folder.path() + ":" + Fixture("cheap"), kPluginTestOptions);
  ASSERT_TRUE(plugins.ok()) << plugins.message();
  EXPECT_EQ(plugins->size(), 3u);
  const std::vector<const PluginEngine*> engines = loader.engines();
  ASSERT_EQ(engines.size(), 2u);
  EXPECT_EQ(engines[0]->name(), "TEST_CHEAP");
  EXPECT_EQ(engines[1]->name(), "TEST_NEG");

  Result<std::vector<const Plugin*>> absent = loader.LoadPath(folder.path() + ":/no/such/folder", kPluginTestOptions);
  ASSERT_FALSE(absent.ok());
  EXPECT_SAYS(absent.message(), "'/no/such/folder' does not exist");
}

TEST(PluginLoader, TheOptionWinsOverTheEnvironment) {
  const char* set = std::getenv("GE_ENGINE_PATH");
  const std::string old = set ? set : "";
  setenv("GE_ENGINE_PATH", "/from/environment", 1);
  EXPECT_EQ(PluginSearchPath(" /from/option "), "/from/option");
  EXPECT_EQ(PluginSearchPath(""), "/from/environment");
  unsetenv("GE_ENGINE_PATH");
  EXPECT_EQ(PluginSearchPath(""), "");
  if (set) setenv("GE_ENGINE_PATH", old.c_str(), 1);
}

}  // namespace
}  // namespace ge
