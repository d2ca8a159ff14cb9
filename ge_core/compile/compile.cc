#include "ge_core/compile/compile.h"

#include <algorithm>
#include <set>

#include "ge_core/base/str.h"
#include "ge_core/compile/graph_plan_verifier.h"
#include "ge_core/compile/memory_planner.h"
#include "ge_core/compile/placement.h"
#include "ge_core/compile/plan_verifier.h"
#include "ge_core/ir/reference.h"

namespace ge {
namespace {

constexpr int64_t kAlignment = 64;
int64_t AlignUp(int64_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }

bool RunsInRuntime(const Node& n) { return n.op().Has(kControlFlow); }
bool IsTask(const Node& n) { return !n.op().Has(kSkeleton); }

// Builds the plan of one graph.
class Planner {
 public:
  Planner(Graph& graph, const EngineList& engines, const FoldOptions& fold, const PassStates* passes, CompiledModel& model)
      : graph_(graph), stage_(graph, fold), placer_(graph, engines, passes), model_(model) {
    plan_.graph = &graph;
  }

  Result<GraphPlan> Run() {
    NumberValues();
    FindEscapes();
    GE_RETURN_IF_ERROR(PlaceAll());
    SplitStages();
    AssignStorage();
    GE_RETURN_IF_ERROR(LayOut());
    FindLastUses();
    return std::move(plan_);
  }

 private:
  int Index(const Value* v) const { return v ? index_.at(v) : -1; }

  void NumberValues() {
    for (const Node* n : graph_.nodes())
      for (int i = 0; i < n->num_outputs(); ++i) {
        index_.emplace(n->output(i), static_cast<int>(plan_.values.size()));
        ValuePlan v{.value = n->output(i)};
        if (v.value->type().IsStatic()) v.bytes = v.value->type().layout.PackedBytes().value_or(v.value->type().StaticBytes());
        plan_.values.push_back(v);
      }
    for (const Node* n : graph_.inputs()) plan_.inputs.push_back(Index(n->output()));
    if (graph_.net_output())
      for (const Value* v : graph_.net_output()->inputs()) plan_.outputs.push_back(Index(v));
  }

  Status PlaceAll() {
    std::vector<const Engine*> maker(plan_.values.size());  // of values that a planned engine makes at each call
    const auto shares = [&](const Node& node, const Value& source) {
      const auto v = static_cast<size_t>(Index(&source));
      if (stage_.InStage(node) || !stage_.AtCall(node)) return std::string("it runs once a set of weights");
      if (!maker[v]) return StrCat("the memory of its operand '", source.producer()->name(), "' is not planned");
      if (escapes_[static_cast<size_t>(Find(Index(&source)))]) return std::string("its operand may leave the graph");
      return std::string();
    };
    for (Node* n : graph_.NodeList()) {
      GE_ASSIGN_OR_RETURN(Placement placed, placer_.Place(*n, shares));
      if (placed.engine) {
        const std::string& before = placed.refusals;
        model_.placement.emplace(n->name(), StrCat(placed.engine->name(), before.empty() ? "" : StrCat(" (", before, ")")));
      }
      for (size_t i = 0; i < placed.bytes.size(); ++i) {
        int64_t& bytes = plan_.values[static_cast<size_t>(Index(n->output(static_cast<int>(i))))].bytes;
        bytes = std::max(bytes, placed.bytes[i]);
      }
      if (!IsTask(*n)) continue;
      if (placed.alias_input >= 0) {
        const auto v = static_cast<size_t>(Index(n->output())), source = static_cast<size_t>(Index(n->input(placed.alias_input)));
        plan_.values[v].storage = Storage::kArena;
        plan_.values[v].alias_of = plan_.values[source].alias_of < 0 ? static_cast<int>(source) : plan_.values[source].alias_of;
        maker[v] = maker[source];
        continue;
      }
      TaskPlan t{.node = n, .engine = RunsInRuntime(*n) ? nullptr : placed.engine};
      for (const Value* v : n->inputs()) t.inputs.push_back(Index(v));
      for (int i = 0; i < n->num_outputs(); ++i) {
        t.outputs.push_back(Index(n->output(i)));
        if (t.engine && !t.engine->allocates_outputs() && stage_.AtCall(*n) && n->output(i)->type().IsTensor())
          maker[static_cast<size_t>(t.outputs.back())] = t.engine;
      }
      plan_.tasks.push_back(std::move(t));
    }
    return {};
  }

  void SplitStages() {
    const ConstantStage& stage = stage_;
    std::vector<uint8_t> reads(graph_.inputs().size());  // Data indices that the stage reads
    std::vector<TaskPlan> run;
    for (TaskPlan& t : plan_.tasks) {
      if (stage.InStage(*t.node)) {
        for (const Value* v : t.node->inputs())
          if (v && v->producer()->Is("Data")) reads[static_cast<size_t>(v->producer()->Int("index"))] = 1;
        plan_.weight_tasks.push_back(t);
      }
      if (!stage.AtCall(*t.node)) {
        for (int i = 0; i < t.node->num_outputs(); ++i)
          if (std::ranges::any_of(t.node->output(i)->uses(), [&](const Use& use) { return stage.AtCall(*use.user); }))
            plan_.weight_values.push_back(t.outputs[static_cast<size_t>(i)]);
        continue;
      }
      if (std::ranges::all_of(t.node->inputs(), [&](const Value* v) { return !v || stage.Known(*v->producer()); }))
        plan_.why_at_call.emplace(t.node->name(), stage.WhyAtCall(*t.node));
      run.push_back(std::move(t));
    }
    plan_.tasks = std::move(run);
    for (size_t i = 0; i < reads.size(); ++i) {
      if (!reads[i]) continue;
      plan_.weight_inputs.push_back(static_cast<int>(i));
      WeightUse how = WeightUse::kStageOnly;
      for (const Use& use : graph_.inputs()[i]->output()->uses())
        if (stage.AtCall(*use.user) || use.user == graph_.net_output()) how = WeightUse::kReads;
      if (escapes_[static_cast<size_t>(Find(plan_.inputs[i]))]) how = WeightUse::kMayReturn;
      plan_.weight_uses.push_back(how);
    }
  }

  // root_[v]: values that may share memory have one root (union of may-alias relations, conservative).
  void FindEscapes() {
    root_.resize(plan_.values.size());
    for (size_t i = 0; i < root_.size(); ++i) root_[i] = static_cast<int>(i);
    for (const Node* n : graph_.nodes()) {
      if (!IsTask(*n) || !stage_.AtCall(*n) || !n->may_alias_inputs()) continue;
      for (int i = 0; i < n->num_outputs(); ++i)
        for (const Value* in : n->inputs())
          if (in) Union(Index(n->output(i)), Index(in));
    }
    escapes_.assign(plan_.values.size(), false);
    for (int v : plan_.outputs) escapes_[static_cast<size_t>(Find(v))] = true;
  }
  int Find(int v) {
    while (root_[static_cast<size_t>(v)] != v)
      v = root_[static_cast<size_t>(v)] = root_[static_cast<size_t>(root_[static_cast<size_t>(v)])];
    return v;
  }
  void Union(int a, int b) {
    a = Find(a), b = Find(b);
    if (a != b) root_[static_cast<size_t>(std::max(a, b))] = std::min(a, b);
  }

  void AssignStorage() {
    for (const Node* n : graph_.inputs())
      plan_.values[static_cast<size_t>(Index(n->output()))].storage = n->output()->type().IsTensor() ? Storage::kInput : Storage::kNone;
    for (const Node* n : graph_.nodes())
      if (n->const_value()) {
        ValuePlan& v = plan_.values[static_cast<size_t>(Index(n->output()))];
        v.storage = escapes_[static_cast<size_t>(Find(Index(n->output())))] ? Storage::kCopy : Storage::kConst;
        plan_.const_bytes += v.bytes;
      }
    for (const TaskPlan& t : plan_.tasks)
      for (int out : t.outputs) {
        ValuePlan& v = plan_.values[static_cast<size_t>(out)];
        if (!t.engine || t.engine->allocates_outputs())
          v.storage = v.value->type().IsTensor() ? Storage::kEngine : Storage::kNone;
        else if (!v.value->type().IsTensor())
          v.storage = Storage::kNone;
        else
          v.storage = escapes_[static_cast<size_t>(Find(out))] ? Storage::kFresh : Storage::kArena;
      }
    std::vector<bool> kept(plan_.values.size());
    for (int v : plan_.weight_values) kept[static_cast<size_t>(v)] = true;
    for (const TaskPlan& t : plan_.weight_tasks)
      for (int out : t.outputs)
        if (kept[static_cast<size_t>(out)])
          plan_.values[static_cast<size_t>(out)].storage = t.engine->allocates_outputs() ? Storage::kHeld : Storage::kWeight;
  }

  Status LayOut() {
    for (int out : plan_.weight_values) {
      const ValuePlan& v = plan_.values[static_cast<size_t>(out)];
      if (v.storage == Storage::kWeight || !v.value->producer()->may_alias_inputs()) plan_.weight_bytes += AlignUp(v.bytes);
    }
    // Live range of an arena value: from its task to the last task that reads it or anything that may alias it.
    std::vector<int> last(plan_.values.size(), -1), first(plan_.values.size(), -1);
    for (size_t i = 0; i < plan_.tasks.size(); ++i) {
      for (int out : plan_.tasks[i].outputs) first[static_cast<size_t>(out)] = static_cast<int>(i);
      for (int v : plan_.tasks[i].outputs) last[static_cast<size_t>(Find(v))] = static_cast<int>(i);
      for (int v : plan_.tasks[i].inputs)
        if (v >= 0) last[static_cast<size_t>(Find(v))] = static_cast<int>(i);
    }
    std::vector<BufferRequest> requests;
    std::vector<int> owners;
    for (size_t v = 0; v < plan_.values.size(); ++v) {
      if (plan_.values[v].storage != Storage::kArena || plan_.values[v].alias_of >= 0) continue;
      if (!plan_.values[v].value->type().IsStatic())
        return Internal(
            StrCat("'", plan_.values[v].value->producer()->name(), "' has a dynamic shape but an engine that wants planned memory"));
      requests.push_back({.bytes = AlignUp(std::max<int64_t>(plan_.values[v].bytes, 1)),
                          .first = first[v],
                          .last = last[static_cast<size_t>(Find(static_cast<int>(v)))]});
      owners.push_back(static_cast<int>(v));
    }
    GE_ASSIGN_OR_RETURN(MemoryPlan memory, PlanMemory(requests));
    GE_RETURN_IF_ERROR(VerifyMemoryPlan(requests, memory));
    for (size_t i = 0; i < owners.size(); ++i) plan_.values[static_cast<size_t>(owners[i])].offset = memory.offsets[i];
    for (ValuePlan& v : plan_.values)
      if (v.alias_of >= 0) v.offset = plan_.values[static_cast<size_t>(v.alias_of)].offset;
    plan_.arena_bytes = memory.total;
    plan_.arena_lower_bound_bytes = ArenaLowerBound(requests);
    return {};
  }

  void FindLastUses() {
    std::vector<int> last(plan_.values.size(), -1);
    for (size_t i = 0; i < plan_.tasks.size(); ++i) {
      for (int v : plan_.tasks[i].outputs) last[static_cast<size_t>(v)] = static_cast<int>(i);
      for (int v : plan_.tasks[i].inputs)
        if (v >= 0) last[static_cast<size_t>(v)] = static_cast<int>(i);
    }
    for (int v : plan_.outputs) last[static_cast<size_t>(v)] = -1;
    for (size_t v = 0; v < last.size(); ++v) {
      const Storage s = plan_.values[v].storage;
      if (last[v] >= 0 && (s == Storage::kEngine || s == Storage::kInput || s == Storage::kFresh || s == Storage::kCopy ||
                           (s == Storage::kNone && plan_.values[v].value->type().IsOpaque())))
        plan_.tasks[static_cast<size_t>(last[v])].release.push_back(static_cast<int>(v));
    }
  }

  Graph& graph_;
  const ConstantStage stage_;
  const Placer placer_;
  CompiledModel& model_;
  GraphPlan plan_;
  std::unordered_map<const Value*, int> index_;  // look-up only
  std::vector<int> root_;
  std::vector<bool> escapes_;
};

}  // namespace

Result<CompiledModel> Compile(std::unique_ptr<Module> module, const EngineList& engines, const FoldOptions& fold,
                              const PassStates* passes) {
  CompiledModel model;
  std::set<std::string> fused;  // bodies of fused regions are compiled by the engine of the region
  for (const auto& g : module->graphs())
    for (const Node* n : g->nodes())
      if (n->Is("FusedRegion")) fused.insert(n->attrs().Get<Attr::GraphRef>("body")->name);
  for (const auto& graph : module->graphs()) {
    if (fused.contains(graph->name())) continue;
    GE_ASSIGN_OR_RETURN(GraphPlan plan, Planner(*graph, engines, fold, passes, model).Run());
    GE_RETURN_IF_ERROR(VerifyGraphPlan(plan));
    model.plans.emplace(graph->name(), std::move(plan));
  }
  model.module = std::move(module);
  return model;
}

}  // namespace ge
