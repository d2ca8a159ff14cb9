#include "torch_backend/csrc/session.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <chrono>

#include "ge_core/autofuse/auto_fuse_pass.h"
#include "ge_core/base/str.h"
#include "ge_core/compile/compile.h"
#include "ge_core/ir/host_cpu_library.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"
#include "ge_core/passes/fusion/matmul_transpose_pass.h"
#include "ge_core/passes/layout/prepack_pass.h"
#include "ge_core/passes/pipeline.h"
#include "host_kernels/aten/aten_engine.h"
#include "host_kernels/ops.h"
#include "npu_runtime/engine_library.h"
#include "npu_runtime/host_kernel_engine.h"
#include "npu_runtime/host_scalar_engine.h"

extern "C" const ge::HostCpuLibrary* ge_host_cpu_library();

namespace ge::torch_backend {
namespace {

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

std::vector<std::string> SplitList(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const size_t comma = std::min(text.find(','), text.size());
    if (comma) out.emplace_back(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out;
}

bool CountsAsCompute(const Node& n) {
  return !n.op().Has(kSkeleton) && !n.op().Has(kView) && !n.op().Has(kHostScalar) && !n.Is("TransData");
}

// Autofuse stands above the passes in the include tree: the composition root registers it and appends its stage.
Status AddAutofuse(PassRegistry& registry) {
  return registry.Add({"autofuse",
                       {"AutoFusePass"},
                       OptLevel::kO3,
                       "",
                       "Forms element-wise regions that one engine runs as one task.",
                       [](const PassContext& c) -> std::unique_ptr<GraphPass> {
                         for (const Engine* e : c.engines)
                           if (e->name() == "jit") return std::make_unique<AutoFusePass>(e);
                         return nullptr;
                       }});
}

Status AddAutofuseStage(const PassRegistry& registry, const PassOptions& options, const PassContext& context, PassManager& manager,
                        PassReport& report) {
  GE_ASSIGN_OR_RETURN(const PassEntry* entry, registry.Get("autofuse"));
  manager.AddStage("Autofuse", false);
  const PassOptions::Decision decision = options.Decide(*entry);
  std::unique_ptr<GraphPass> pass = decision.on ? entry->make(context) : nullptr;
  if (pass)
    manager.AddPass(std::move(pass));
  else
    report.switched_off.push_back({"autofuse", "Autofuse", decision.on ? "the jit engine is not present" : decision.why});
  return {};
}

py::dict NodeReport(const Node& n, const CompiledModel& plan, const Imported& imported, const FoldReport& folds) {
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
  if (const std::string_view why = folds.Why(n.graph().name(), n.name()); !why.empty()) notes.append(StrCat("not folded: ", why));
  node["notes"] = notes;
  return node;
}

py::dict MakeReport(const CompiledModel& plan, const Imported& imported, const PassReport& passes, const FoldReport& folds,
                    const py::dict& seconds) {
  py::dict report, by_engine;
  py::list nodes;
  int64_t copies = 0, compute = 0, native = 0, tasks = 0, arena = 0, bound = 0, weights = 0;
  std::map<std::string, int64_t> fallback, engines;
  for (const auto& g : plan.module->graphs())
    for (const Node* n : g->nodes()) {
      if (n->op().Has(kSkeleton)) continue;
      nodes.append(NodeReport(*n, plan, imported, folds));
      compute += CountsAsCompute(*n);
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
    for (const ValuePlan& v : p.values) copies += v.storage == Storage::kCopy;
    for (const TaskPlan& t : p.tasks) ++engines[t.engine ? std::string(t.engine->name()) : "control_flow"];
  }
  for (const auto& [name, count] : engines) by_engine[py::str(name)] = count;
  report["name"] = "";
  report["nodes_imported"] = imported.nodes_imported;
  report["compute_nodes"] = compute;
  report["native_nodes"] = native;
  report["fallback_nodes"] = py::cast(fallback);
  py::list stages;
  for (const StageReport& s : passes.stages) stages.append(py::make_tuple(s.stage, s.nodes_before, s.nodes_after, s.seconds));
  report["stages"] = stages;
  report["engines"] = by_engine;
  report["tasks"] = tasks;
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
  evaluator_ = std::make_unique<HostCpuEngine>(&HostKernels(), ge_host_cpu_library());
  for (const char* name : {"jit", "onednn"}) {
    EngineRow row{.name = name};
    Result<const Engine*> engine = OpenEngine(name);
    if (engine.ok())
      row.engine = *engine;
    else
      row.reason = engine.message();
    engines_.push_back(std::move(row));
  }
}

const OpTable& Session::ops() const { return HostOps(); }

Result<EngineList> Session::Engines(const TextOptions& options, const Engine* python) const {
  EngineList list{&HostScalarEngine()};
  const std::vector<std::string> wanted = SplitList(Option(options, "ge.exec.engines", "jit,onednn,aten"));
  for (std::string name : wanted) {
    if (name == "oneDNN") name = "onednn";  // names of the documentation
    if (name == "autofuse") name = "jit";
    if (name == "DNN_VM_HOST_CPU" || name == "DNN_VM_GE_LOCAL") name = "aten";
    if (name == "aten" || name == "host_scalar" || name == "python") continue;  // always there, after the fast engines
    // Below "highest", eager's float32 products go through bf16 or TF32; the engine computes in float32 only. Dynamo guards
    // the setting, so a later change compiles again.
    if (name == "onednn" && at::globalContext().float32MatmulPrecision() != at::Float32MatmulPrecision::HIGHEST) continue;
    if (name == "host_kernels") {  // the reference kernels, on request only: exact and slow
      static const HostKernelEngine reference(HostKernels());
      list.push_back(&reference);
      continue;
    }
    bool known = false;
    for (const EngineRow& row : engines_) {
      known |= row.name == name;
      if (row.name == name && row.engine) list.push_back(row.engine);
    }
    if (!known)
      return InvalidArgument(StrCat("option ge.exec.engines: unknown engine '", name,
                                    "'; known: jit (autofuse), onednn, aten (DNN_VM_HOST_CPU), host_kernels"));
  }
  list.push_back(aten_.get());
  list.push_back(python);
  return list;
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
  GE_ASSIGN_OR_RETURN(const EngineList engines, Engines(options, compiled->python.get()));

  // Passes.
  PassRegistry registry = PassRegistry::WithBuiltins();
  GE_RETURN_IF_ERROR(AddAutofuse(registry));
  std::map<std::string, std::string> pass_options;
  for (std::string_view key : PassOptions::Keys())
    if (auto it = options.find(std::string(key)); it != options.end()) pass_options.emplace(*it);
  GE_ASSIGN_OR_RETURN(const PassOptions chosen, PassOptions::Parse(pass_options, registry));
  PassReport pass_report;
  FoldReport fold_report;
  PassContext context{.evaluator = evaluator_.get(), .engines = engines, .fold_report = &fold_report};
  PassManagerOptions manager_options;
  if (Option(options, "ge.debug.verify", "false") == "true") {
    manager_options.verify = [](const Module& m) { return Verify(m); };
    manager_options.check_changed_flag = true;
  }
  GE_ASSIGN_OR_RETURN(PassManager manager, BuildPipeline(registry, chosen, context, manager_options, &pass_report));
  GE_RETURN_IF_ERROR(AddAutofuseStage(registry, chosen, context, manager, pass_report));
  GE_RETURN_IF_ERROR(manager.Run(*imported.module, &pass_report));
  seconds["passes"] = clock.Lap();

  GE_ASSIGN_OR_RETURN(CompiledModel plan, Compile(std::move(imported.module), engines));
  seconds["plan"] = clock.Lap();
  compiled->plan = std::make_shared<const CompiledModel>(std::move(plan));
  GE_ASSIGN_OR_RETURN(compiled->model, LoadedModel::Load(compiled->plan, device_));
  seconds["load"] = clock.Lap();
  compiled->outputs = std::move(imported.outputs);
  compiled->weight_inputs = compiled->plan->entry().weight_inputs;
  compiled->weights = std::make_unique<WeightCache>(weight_mode == "checked" ? WeightMode::kChecked : WeightMode::kAuto);

  compiled->report = MakeReport(*compiled->plan, imported, pass_report, fold_report, seconds);
  return compiled;
}

py::dict Session::BuildInfo() const {
  py::dict info, engines;
  engines["aten"] = "PyTorch dispatcher";
  engines["host_scalar"] = "built in";
  engines["python"] = "built in";
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
  names.emplace_back("autofuse");
  return names;
}

}  // namespace ge::torch_backend
