#include "torch_backend/csrc/session.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <chrono>
#include <set>

#include "ge_core/autofuse/auto_fuse_pass.h"
#include "ge_core/base/str.h"
#include "ge_core/base/str_split.h"
#include "ge_core/compile/compile.h"
#include "ge_core/engine/plugin_search.h"
#include "ge_core/ir/host_cpu_library.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"
#include "ge_core/passes/constant_stage.h"
#include "ge_core/passes/pipeline.h"
#include "host_kernels/aten/aten_engine.h"
#include "host_kernels/ops.h"
#include "npu_runtime/engine_library.h"
#include "npu_runtime/host_kernel_engine.h"
#include "npu_runtime/host_scalar_engine.h"

extern "C" const ge::HostCpuLibrary* ge_host_cpu_library();

namespace ge {
// Above the passes in the include tree: composition roots register them.
extern GE_API const PassDef ge_pass_AutoFusePass;
extern GE_API const PassDef ge_pass_EpilogueFusionPass;
}  // namespace ge

namespace ge::torch_backend {
namespace {

// Names that ge.exec.engines gives to engines of the project.
constexpr std::string_view kBuiltInEngines[] = {"jit",    "simd",         "onednn", "aten",     "host_scalar",
                                                "python", "host_kernels", "oneDNN", "autofuse", "DNN_VM_HOST_CPU"};

class Clock {
 public:
  double Lap() {
    const auto now = std::chrono::steady_clock::now();
    const double s = std::chrono::duration<double>(now - last_).count();
    last_ = now;
    return s;
  }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

std::string Option(const TextOptions& options, const std::string& key, std::string otherwise) {
  auto it = options.find(key);
  return it == options.end() || it->second.empty() ? std::move(otherwise) : it->second;
}

// A fused region counts by the nodes of its body.
bool CountsAsCompute(const Node& n) {
  return !n.op().Has(kSkeleton) && !n.op().Has(kView) && !n.op().Has(kHostScalar) && !n.Is("TransData") && !n.Is("FusedRegion");
}

// Nodes of computation that run at each call: what follows from weights alone does not.
size_t CountCompute(Module& module, const FoldOptions& fold) {
  size_t count = 0;
  for (const auto& g : module.graphs()) {
    const ConstantStage stage(*g, fold);
    for (const Node* n : g->nodes()) count += stage.AtCall(*n) && CountsAsCompute(*n);
  }
  return count;
}

// What the passes know about a finished module.
struct PassFacts {
  PassReport report;
  FoldReport folds;
  ChangeLog log;
  PotentialConsts marks;
  PassReasons why;
};

// Lets the optimizers of plug-ins whose engines take part work on every graph.
Status RunOptimizers(Module& module, std::span<const Plugin* const> plugins, const EngineList& engines,
                     Result<bool> (GraphOptimizer::*step)(Graph&)) {
  for (const Plugin* plugin : plugins)
    for (GraphOptimizer* optimizer : plugin->optimizers) {
      if (std::ranges::none_of(engines, [&](const Engine* e) { return e->name() == optimizer->engine(); })) continue;
      for (const auto& graph : module.graphs()) {
        Result<bool> done = (optimizer->*step)(*graph);
        if (!done.ok()) return std::move(done).status().Annotate(StrCat("in graph optimizer ", optimizer->name(), " of ", plugin->path));
        if (*done) GE_RETURN_IF_ERROR(Verify(module).Annotate(StrCat("after graph optimizer ", optimizer->name(), " of ", plugin->path)));
      }
    }
  return {};
}

// Asks every rule of the pipeline about every node that is left.
void AskRules(Module& module, const PassManager& manager, PassFacts& facts) {
  std::map<std::string_view, const NodePass*> rules;
  for (const NodePass* pass : manager.node_passes()) rules.emplace(pass->name(), pass);
  for (const auto& graph : module.graphs()) {
    const Rewriter rewriter(*graph);
    for (const Node* n : graph->nodes()) {
      if (n->op().Has(kSkeleton)) continue;
      for (const auto& [name, pass] : rules) {
        const auto anchors = pass->anchors();
        if (!anchors.empty() && std::find(anchors.begin(), anchors.end(), n->op().name) == anchors.end()) continue;
        if (std::string why = pass->WhyNot(*n, rewriter); !why.empty()) facts.why[n->name()].push_back(StrCat(name, ": ", why));
      }
    }
  }
}

// Why dead code elimination leaves the node.
std::string WhyKept(const Node& n) {
  if (!n.pure()) return "kept: it has effects";
  const Node* reader = nullptr;
  std::set<const Node*> readers;  // counted only
  for (int o = 0; o < n.num_outputs(); ++o)
    for (const Use& use : n.output(o)->uses()) {
      if (use.user == n.graph().net_output()) return "kept: a result of the graph";
      if (!reader) reader = use.user;
      readers.insert(use.user);
    }
  if (reader) return StrCat("kept: read by '", reader->name(), "'", readers.size() > 1 ? StrCat(" and ", readers.size() - 1, " more") : "");
  if (!n.control_outputs().empty()) return StrCat("kept: '", n.control_outputs()[0]->name(), "' waits for it");
  return "nobody reads it, and dead-code-elimination did not run after that";
}

py::dict NodeReport(const Node& n, const CompiledModel& plan, const Imported& imported, const PassFacts& facts, bool once) {
  py::dict node;
  py::list notes;
  node["name"] = n.name();
  node["type"] = n.Is("AtenCall") ? n.Str("op") : n.Is("PyCall") ? n.Str("target") : std::string(n.op().name);
  node["location"] = n.loc();
  if (auto it = plan.placement.find(n.name()); it != plan.placement.end()) {
    const size_t space = it->second.find(' ');
    node["engine"] = it->second.substr(0, space);
    if (space != std::string::npos) notes.append(StrCat("engines asked before: ", it->second.substr(space + 1)));
  }
  if (auto it = imported.why.find(n.name()); it != imported.why.end()) notes.append(StrCat("fallback: ", it->second));
  if (const std::string* pass = facts.log.MadeBy(n)) notes.append(StrCat("made by pass ", *pass));
  notes.append(WhyKept(n));
  if (auto it = facts.why.find(n.name()); it != facts.why.end())
    for (const std::string& why : it->second) notes.append(why);
  if (once) notes.append("runs once a set of weights");
  if (auto p = plan.plans.find(n.graph().name()); p != plan.plans.end())
    if (auto it = p->second.why_at_call.find(n.name()); it != p->second.why_at_call.end())
      notes.append(StrCat("its operands are known before the call, but it runs at each call: ", it->second));
  node["notes"] = notes;
  return node;
}

py::dict MakeReport(const CompiledModel& plan, const EngineList& engine_order, const Imported& imported, const PassFacts& facts,
                    const py::dict& seconds) {
  py::dict report, by_engine;
  py::list nodes;
  int64_t copies = 0, compute = 0, native = 0, tasks = 0, arena = 0, bound = 0, weights = 0, no_task = 0;
  std::map<std::string, int64_t> fallback, engines;
  int64_t weight_nodes = 0;
  std::set<const Node*> once;  // of the constant stage only, bodies of its regions included; membership
  for (const auto& [name, p] : plan.plans) {
    weight_nodes += static_cast<int64_t>(p.weight_tasks.size());
    for (const TaskPlan& t : p.weight_tasks) {
      once.insert(t.node);
      if (const auto* body = t.node->attrs().Get<Attr::GraphRef>("body"))
        for (const Node* n : plan.module->Find(body->name)->nodes()) once.insert(n);
    }
    for (const TaskPlan& t : p.tasks) once.erase(t.node);
  }
  for (const auto& g : plan.module->graphs())
    for (const Node* n : g->nodes()) {
      if (n->op().Has(kSkeleton)) continue;
      nodes.append(NodeReport(*n, plan, imported, facts, once.contains(n)));
      compute += CountsAsCompute(*n) && !once.contains(n);
      if (n->Is("AtenCall"))
        ++fallback[StrCat("aten:", n->Str("op"))];
      else if (n->Is("PyCall"))
        ++fallback[StrCat("python:", n->Str("target"))];
      else
        native += !n->op().Has(kHostScalar) && !n->Is("TransData");
    }
  for (const auto& [name, p] : plan.plans) {
    tasks += static_cast<int64_t>(p.tasks.size());
    arena += p.arena_bytes, bound += p.arena_lower_bound_bytes, weights += p.weight_bytes + p.const_bytes;
    // Work that only moves data: clones, writes into inputs, and constants that are handed out.
    for (const TaskPlan& t : p.tasks) copies += t.node->Is("TensorMove") || t.node->Is("Assign");
    for (const ValuePlan& v : p.values) {
      copies += v.storage == Storage::kCopy;
      no_task += v.alias_of >= 0;
    }
    for (const TaskPlan& t : p.tasks) {
      const auto placed = plan.placement.find(t.node->name());
      ++engines[placed == plan.placement.end() ? "control_flow" : placed->second.substr(0, placed->second.find(' '))];
    }
  }
  for (const auto& [name, count] : engines) by_engine[py::str(name)] = count;
  report["name"] = "";
  report["nodes_imported"] = imported.nodes_imported;
  report["compute_nodes"] = compute;
  report["weight_nodes"] = weight_nodes;
  report["native_nodes"] = native;
  report["fallback_nodes"] = py::cast(fallback);
  py::list stages;
  std::map<std::string, std::tuple<int64_t, int64_t, double>> by_pass;
  for (const StageReport& s : facts.report.stages) {
    stages.append(py::make_tuple(s.stage, s.nodes_before, s.nodes_after, s.seconds, s.compute_after));
    for (const PassRun& run : s.passes) {
      auto& [changes, nodes, time] = by_pass[run.pass];
      changes += run.changes, nodes += run.node_delta, time += run.seconds;
    }
  }
  report["stages"] = stages;
  report["passes"] = py::cast(by_pass);
  std::vector<std::tuple<std::string, std::string, std::string>> off;
  for (const SwitchedOff& o : facts.report.switched_off) off.emplace_back(o.stage, o.pass, o.why);
  report["switched_off"] = off;
  std::vector<std::tuple<int, std::string, int64_t, double>> kernels;
  for (const auto& [key, k] : facts.folds.kernels) kernels.emplace_back(key.first, key.second, k.count, k.seconds);
  report["folding_kernels"] = kernels;
  std::map<std::string, std::string> gone;
  for (const auto& [key, fate] : facts.log.gone) gone.emplace(key.substr(key.find('/') + 1), fate);
  report["gone"] = gone;
  std::vector<std::tuple<std::string, std::string, std::string, std::string, std::string>> changes;
  for (const ChangeLog::Change& c : facts.log.changes) changes.emplace_back(c.pass, c.stage, c.graph, c.node, c.loc);
  report["changes"] = changes;
  report["engines"] = by_engine;
  std::vector<std::string> order;
  for (const Engine* e : engine_order) order.emplace_back(e->name());
  report["engine_order"] = order;
  report["tasks"] = tasks;
  report["no_task_nodes"] = no_task;
  report["arena_bytes"] = arena;
  report["arena_lower_bound_bytes"] = bound;
  report["weights_bytes"] = weights;
  report["copies"] = copies;
  report["seconds"] = seconds;
  report["nodes"] = nodes;
  report["notes"] = py::cast(imported.notes);
  return report;
}

}  // namespace

Session& Session::Get() {
  static Session* session = new Session();  // engines live for the process
  return *session;
}

Session::Session() {
  Result<AtenMappings> mappings = AtenMappings::Build(HostOps());
  if (!mappings.ok()) throw std::runtime_error(mappings.message());
  mappings_ = std::make_unique<AtenMappings>(*std::move(mappings));
  aten_ = std::make_unique<aten::AtenEngine>(*mappings_);
  registry_ = PassRegistry::WithBuiltins();
  GE_CHECK(registry_.Add(ge_pass_AutoFusePass).ok() && registry_.Add(ge_pass_EpilogueFusionPass).ok(), "two passes share a name");
  evaluator_ = std::make_unique<HostCpuEngine>(&HostKernels(), ge_host_cpu_library());
  const auto load_local = [&]() -> Status {
    GE_ASSIGN_OR_RETURN(const std::vector<std::string> files, LocalEngineFiles());
    for (const std::string& file : files) {
      GE_ASSIGN_OR_RETURN(const Plugin* library, plugins_.Load(file, {}));
      local_libraries_.push_back(library);
    }
    local_.engine = plugins_.FindEngine(local_.name);
    return {};
  };
  if (Status s = load_local(); !s.ok()) local_.reason = s.message();
  for (const char* name : {"jit", "simd", "onednn"}) {
    EngineRow row{.name = name};
    Result<const Engine*> engine = OpenEngine(name);
    if (engine.ok())
      row.engine = *engine;
    else
      row.reason = engine.message();
    engines_.push_back(std::move(row));
  }
}

Result<Session::Plugins> Session::LoadPlugins(const TextOptions& options) {
  const auto given = options.find("ge.engines.path");
  const std::string path = PluginSearchPath(given == options.end() ? "" : given->second);
  std::lock_guard lock(plugins_mutex_);
  return plugins_.LoadPath(path, options);
}

const OpTable& Session::ops() const { return HostOps(); }

Result<EngineList> Session::Engines(const TextOptions& options, const Plugins& plugins, const Engine* python) const {
  std::vector<const PluginEngine*> of_plugins;
  for (const Plugin* plugin : plugins)
    for (const auto& e : plugin->engines) {
      if (e.get() == local_.engine) continue;  // its folder may stand on the search path
      if (std::ranges::find(kBuiltInEngines, e->name()) != std::end(kBuiltInEngines))
        return InvalidArgument(StrCat("engine plug-in ", plugin->path, " calls its engine '", e->name(), "', the name of a built-in one"));
      of_plugins.push_back(e.get());
    }
  std::ranges::stable_sort(of_plugins, {}, &PluginEngine::cost);
  std::string everyone = "jit,simd,onednn", names = "jit (autofuse), simd, onednn, aten (DNN_VM_HOST_CPU), host_kernels, DNN_VM_GE_LOCAL";
  for (const PluginEngine* e : of_plugins) everyone += StrCat(",", e->name()), names += StrCat(", ", e->name());

  EngineList list{&HostScalarEngine()};
  const std::string engines = Option(options, "ge.exec.engines", everyone);
  for (std::string_view name : Split(engines, ',')) {
    if (name == "oneDNN") name = "onednn";  // names of the documentation
    if (name == "autofuse") name = "jit";
    if (name == "DNN_VM_HOST_CPU") name = "aten";
    if (name == "aten" || name == "host_scalar" || name == "python") continue;  // always there, after the fast engines
    if (name == local_.name) continue;                                          // always there, before all others
    // Below "highest", eager's float32 products go through bf16 or TF32; these engines compute in float32 only. Dynamo guards
    // the setting, so a later change compiles again.
    if ((name == "onednn" || name == "simd") && at::globalContext().float32MatmulPrecision() != at::Float32MatmulPrecision::HIGHEST)
      continue;
    if (name == "host_kernels") {  // the reference kernels, on request only: exact and slow
      static const HostKernelEngine reference(HostKernels());
      list.push_back(&reference);
      continue;
    }
    const auto plugin = std::ranges::find(of_plugins, name, [](const PluginEngine* e) { return e->name(); });
    if (plugin != of_plugins.end()) {
      list.push_back(*plugin);
      continue;
    }
    bool known = false;
    for (const EngineRow& row : engines_) {
      known |= row.name == name;
      if (row.name == name && row.engine) list.push_back(row.engine);
    }
    if (!known) return InvalidArgument(StrCat("option ge.exec.engines: unknown engine '", name, "'; known: ", names));
  }
  list.push_back(aten_.get());
  list.push_back(python);
  return list;
}

Result<Device*> Session::DeviceOf(const TextOptions& options) {
  if (Option(options, "ge.exec.device", "host") == "host") return &device_;
  if (!sim_) {
    GE_ASSIGN_OR_RETURN(sim_, SimDevice::Make());
  }
  return sim_.get();
}

Result<std::string> Session::ImportText(py::handle gm, bool strict) {
  GE_ASSIGN_OR_RETURN(Imported imported, ImportFx(gm, HostOps(), *mappings_, {.strict = strict}));
  GE_RETURN_IF_ERROR(Verify(*imported.module));
  return Print(*imported.module);
}

Result<std::unique_ptr<Compiled>> Session::CompileFx(py::handle gm, const TextOptions& options, std::vector<int64_t> weights,
                                                     bool strict_inputs) {
  Clock clock;
  py::dict seconds;
  const std::string weight_mode = Option(options, "ge.weights", "auto");
  if (weight_mode == "inputs") weights.clear();
  const bool strict = Option(options, "ge.import.strict", "false") == "true";
  GE_ASSIGN_OR_RETURN(Imported imported, ImportFx(gm, HostOps(), *mappings_, {.weights = std::move(weights), .strict = strict}));
  GE_RETURN_IF_ERROR(Verify(*imported.module).Annotate("after importing the FX graph"));
  seconds["import"] = clock.Lap();

  auto compiled = std::make_unique<Compiled>();
  compiled->strict_inputs = strict_inputs;
  compiled->python = std::make_unique<PyCallEngine>(std::move(imported.callables));

  // Passes.
  GE_ASSIGN_OR_RETURN(const PassOptions chosen, PassOptions::Parse(options, registry_));
  GE_ASSIGN_OR_RETURN(Plugins plugins, LoadPlugins(chosen.values));
  GE_ASSIGN_OR_RETURN(const EngineList engines, Engines(options, plugins, compiled->python.get()));
  EngineList all = engines;
  if (local_.engine) all.insert(all.begin(), local_.engine);
  plugins.insert(plugins.begin(), local_libraries_.begin(), local_libraries_.end());
  GE_RETURN_IF_ERROR(RunOptimizers(*imported.module, plugins, all, &GraphOptimizer::OptimizeOriginalGraph));
  PassFacts facts;
  const PassContext context{
      .evaluator = evaluator_.get(), .engines = engines, .fold_report = &facts.folds, .potential_consts = &facts.marks};
  PassManagerOptions manager_options{.count_compute = [&](Module& m) { return CountCompute(m, chosen.fold); }, .log = &facts.log};
  const bool check = Option(options, "ge.debug.check", "") == "node";
  std::unique_ptr<Module> reference;
  ValueOrigins origins;
  if (check) {
    reference = imported.module->Clone();
    manager_options.origins = &origins;
  }
  if (chosen.verify) {
    manager_options.verify = [](const Module& m) { return Verify(m); };
    manager_options.check_changed_flag = true;
  }
  GE_ASSIGN_OR_RETURN(PassManager manager, BuildPipeline(registry_, chosen, context, manager_options, &facts.report));
  GE_RETURN_IF_ERROR(manager.Run(*imported.module, &facts.report));
  GE_RETURN_IF_ERROR(RunOptimizers(*imported.module, plugins, all, &GraphOptimizer::OptimizeOriginalGraphJudgeInsert));
  seconds["passes"] = clock.Lap();
  AskRules(*imported.module, manager, facts);
  seconds["report"] = clock.Lap();

  const PassStates states(registry_, chosen, facts.why);
  GE_ASSIGN_OR_RETURN(CompiledModel plan, Compile(std::move(imported.module), all, chosen.fold, &states));
  seconds["plan"] = clock.Lap();
  compiled->plan = std::make_shared<const CompiledModel>(std::move(plan));
  GE_ASSIGN_OR_RETURN(Device * device, DeviceOf(options));
  GE_ASSIGN_OR_RETURN(compiled->model, LoadedModel::Load(compiled->plan, *device));
  if (check) {
    const EngineList eager{&HostScalarEngine(), aten_.get(), compiled->python.get()};
    GE_ASSIGN_OR_RETURN(compiled->check, NodeCheck::Make(std::move(reference), compiled->plan, origins, facts.log, eager, *aten_, device_));
  }
  seconds["load"] = clock.Lap();
  compiled->outputs = std::move(imported.outputs);
  compiled->weights = std::make_unique<WeightCache>(weight_mode == "checked" ? WeightMode::kChecked : WeightMode::kAuto);

  compiled->report = MakeReport(*compiled->plan, all, imported, facts, seconds);
  return compiled;
}

py::dict Session::BuildInfo() const {
  py::dict info, engines;
  engines["aten"] = "PyTorch dispatcher";
  engines["host_scalar"] = "built in";
  engines["python"] = "built in";
  engines[py::str(local_.name)] = local_.engine ? "present" : StrCat("absent: ", local_.reason);
  for (const EngineRow& row : engines_) engines[py::str(row.name)] = row.engine ? "present" : StrCat("absent: ", row.reason);
  info["engines"] = engines;
  info["operators"] = HostOps().defs().size();
  info["host_kernels"] = HostKernels().kernels().size();
  return info;
}

std::vector<std::string> Session::PassNames() const {
  std::vector<std::string> names;
  for (const PipelineStage& stage : Pipeline())
    for (const PipelineEntry& entry : stage.entries)
      if (std::find(names.begin(), names.end(), entry.pass) == names.end()) names.emplace_back(entry.pass);
  return names;
}

}  // namespace ge::torch_backend
