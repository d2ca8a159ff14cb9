#include "ge_core/compile/graph_plan_verifier.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "ge_core/base/str.h"
#include "ge_core/compile/plan_verifier.h"

namespace ge {
namespace {

std::string_view Name(Storage s) {
  constexpr std::string_view kNames[] = {"slot only", "input",  "constant", "copied constant", "engine's own",
                                         "arena",     "weight", "held",     "fresh memory"};
  return kNames[static_cast<size_t>(s)];
}

class PlanProof {
 public:
  explicit PlanProof(const GraphPlan& plan) : plan_(plan), n_(plan.values.size()) {}

  Status Run() {
    int position = 0;
    for (const Node* n : plan_.graph->nodes()) position_.emplace(n, position++);
    GE_RETURN_IF_ERROR(CheckValues());
    GE_RETURN_IF_ERROR(CheckTasks(plan_.weight_tasks, true));
    GE_RETURN_IF_ERROR(CheckTasks(plan_.tasks, false));
    GE_RETURN_IF_ERROR(CheckBoundary());
    NumberAliases();
    GE_RETURN_IF_ERROR(CheckEffects());
    GE_RETURN_IF_ERROR(CheckEscapes());
    GE_RETURN_IF_ERROR(CheckArena());
    return CheckReleases();
  }

 private:
  const ValuePlan& At(int v) const { return plan_.values[static_cast<size_t>(v)]; }
  bool Exists(int v) const { return v >= 0 && static_cast<size_t>(v) < n_; }
  static std::string Of(const Node& n) {
    return StrCat(n.op().name, " '", n.name(), "'", n.loc().empty() ? "" : StrCat(" (", n.loc(), ")"));
  }
  std::string Of(int v) const { return StrCat("value ", v, " of ", Of(*At(v).value->producer())); }
  Status Wrong(std::string what) const { return Internal(StrCat("plan of graph '", plan_.graph->name(), "': ", what)); }

  Status CheckValues() {
    for (size_t i = 0; i < n_; ++i) {
      const ValuePlan& v = plan_.values[i];
      const int index = static_cast<int>(i);
      if (!v.value || !position_.contains(v.value->producer())) return Wrong(StrCat("value ", i, " is of no node of the graph"));
      const Node& producer = *v.value->producer();
      const ValueType& type = v.value->type();
      const bool constant = v.storage == Storage::kConst || v.storage == Storage::kCopy;
      if (constant != (producer.const_value() != nullptr))
        return Wrong(StrCat(Of(index), " is stored as ", constant ? "a constant" : "no constant"));
      if ((v.storage == Storage::kInput) != (producer.Is("Data") && type.IsTensor()))
        return Wrong(StrCat(Of(index), v.storage == Storage::kInput ? " is stored as an input" : " is an input and not stored as one"));
      const bool planned = v.storage == Storage::kArena || v.storage == Storage::kFresh || v.storage == Storage::kWeight;
      if (planned && !(type.IsTensor() && type.IsStatic())) return Wrong(StrCat(Of(index), " has planned memory, but no static type"));
      if (!type.IsTensor() || !type.IsStatic()) continue;
      const int64_t least = type.layout.PackedBytes().value_or(type.StaticBytes());
      if (v.bytes < least) return Wrong(StrCat(Of(index), " has ", v.bytes, " bytes, its type needs ", least));
    }
    for (size_t i = 0; i < n_; ++i) index_.emplace(plan_.values[i].value, static_cast<int>(i));
    for (size_t i = 0; i < n_; ++i) GE_RETURN_IF_ERROR(CheckView(static_cast<int>(i)));
    return {};
  }

  // A value without a task of its own is a view of arena memory, as long as that and row-major like it.
  Status CheckView(int v) const {
    const ValuePlan& view = At(v);
    if (view.alias_of == -1) return {};
    const auto wrong = [&](std::string_view why) { return Wrong(StrCat(Of(v), " is said to be the memory of value ", view.alias_of, ", ", why)); };
    if (!Exists(view.alias_of) || view.alias_of == v) return wrong("which is no other value");
    const ValuePlan& memory = At(view.alias_of);
    if (memory.alias_of != -1) return wrong("which is a view itself");
    if (view.storage != Storage::kArena || memory.storage != Storage::kArena) return wrong("but both must be in the arena");
    if (view.offset != memory.offset) return wrong(StrCat("but lies at ", view.offset, " and not at ", memory.offset));
    const Node& producer = *view.value->producer();
    const auto reads_it = [&](const Value* operand) {
      const auto it = index_.find(operand);
      return it != index_.end() && plan_.MemoryOf(it->second) == view.alias_of;
    };
    if (!producer.may_alias_inputs() || !std::ranges::any_of(producer.inputs(), reads_it)) return wrong("which its node is no view of");
    for (const ValuePlan* p : {&view, &memory})
      if (p->value->type().Strides() != p->value->type().ContiguousStrides()) return wrong("but one of them is not row-major");
    if (view.value->type().StaticBytes() > memory.value->type().StaticBytes()) return wrong("but it is larger");
    return {};
  }

  // Operands and results are those of the nodes, in the graph's direction.
  Status CheckTasks(const std::vector<TaskPlan>& tasks, bool weight_stage) {
    std::vector<uint8_t> made(n_);
    for (int v : plan_.weight_values) {
      if (!Exists(v)) return Wrong(StrCat("weight value ", v, " does not exist; there are ", n_));
      if (!weight_stage) made[static_cast<size_t>(v)] = 1;
    }
    std::set<const Node*> seen;
    for (const TaskPlan& t : tasks) {
      if (!t.node || !position_.contains(t.node)) return Wrong("a task is of no node of the graph");
      const Node& n = *t.node;
      if (!seen.insert(&n).second) return Wrong(StrCat("two tasks run ", Of(n)));
      if (t.inputs.size() != static_cast<size_t>(n.num_inputs()) || t.outputs.size() != static_cast<size_t>(n.num_outputs()))
        return Wrong(StrCat("task ", Of(n), " has ", t.inputs.size(), " operands and ", t.outputs.size(), " results, its node ",
                            n.num_inputs(), " and ", n.num_outputs()));
      for (size_t i = 0; i < t.inputs.size(); ++i) {
        const int v = t.inputs[i];
        const Value* want = n.input(static_cast<int>(i));
        if (v != -1 && !Exists(v)) return Wrong(StrCat("task ", Of(n), ": operand ", i, " is value ", v, "; there are ", n_));
        if ((v < 0 ? nullptr : At(v).value) != want)
          return Wrong(StrCat("task ", Of(n), ": operand ", i, " is ", v < 0 ? std::string("absent") : Of(v), ", expected ",
                              want ? Of(*want->producer()) : std::string("none")));
        if (v < 0) continue;
        const Node& producer = *At(v).value->producer();
        if (!producer.Is("Data") && !producer.const_value() && !made[static_cast<size_t>(plan_.MemoryOf(v))])
          return Wrong(StrCat("task ", Of(n), " reads ", Of(v), ", which no earlier task makes"));
      }
      for (size_t i = 0; i < t.outputs.size(); ++i) {
        const int v = t.outputs[i];
        if (!Exists(v) || At(v).value != n.output(static_cast<int>(i)))
          return Wrong(StrCat("task ", Of(n), ": result ", i, " is value ", v, ", which is not the node's"));
        if (At(v).alias_of != -1) return Wrong(StrCat("task ", Of(n), " makes ", Of(v), ", which is planned as a view without a task"));
        made[static_cast<size_t>(v)] = 1;
        GE_RETURN_IF_ERROR(CheckStorage(t, v, weight_stage));
      }
    }
    if (weight_stage) {
      for (int v : plan_.weight_values)
        if (!made[static_cast<size_t>(v)]) return Wrong(StrCat(Of(v), " is a weight value that no task of the constant stage makes"));
      return {};
    }
    made_ = std::move(made);
    for (const Node* n : plan_.graph->nodes())
      if (!n->op().Has(kSkeleton) && !n->pure() && !seen.contains(n)) return Wrong(StrCat("no task runs ", Of(*n), ", which has effects"));
    return {};
  }

  Status CheckStorage(const TaskPlan& t, int v, bool weight_stage) const {
    const Storage s = At(v).storage;
    const bool engine_allocates = !t.engine || t.engine->allocates_outputs();
    bool right = s == Storage::kNone;
    if (!At(v).value->type().IsTensor())
      right |= s == Storage::kHeld;
    else if (engine_allocates)
      right |= s == Storage::kEngine || s == Storage::kHeld;
    else
      right = s == Storage::kArena || s == Storage::kFresh || s == Storage::kWeight || (weight_stage && s == Storage::kNone);
    if (right) return {};
    return Wrong(StrCat(Of(v), " is stored as ", Name(s), ", which ", t.engine ? t.engine->name() : "the runtime", " does not fill"));
  }

  Status CheckBoundary() {
    if (plan_.inputs.size() != plan_.graph->inputs().size())
      return Wrong(StrCat(plan_.inputs.size(), " inputs, the graph has ", plan_.graph->inputs().size()));
    for (size_t i = 0; i < plan_.inputs.size(); ++i)
      if (!Exists(plan_.inputs[i]) || At(plan_.inputs[i]).value != plan_.graph->inputs()[i]->output())
        return Wrong(StrCat("input ", i, " is value ", plan_.inputs[i], ", which is not that of ", Of(*plan_.graph->inputs()[i])));
    const Node* end = plan_.graph->net_output();
    if (plan_.outputs.size() != static_cast<size_t>(end ? end->num_inputs() : 0))
      return Wrong(StrCat(plan_.outputs.size(), " results, the graph has ", end ? end->num_inputs() : 0));
    for (size_t i = 0; i < plan_.outputs.size(); ++i) {
      const int v = plan_.outputs[i];
      if (!Exists(v) || At(v).value != end->input(static_cast<int>(i)))
        return Wrong(StrCat("result ", i, " is value ", v, ", expected that of ", Of(*end->input(static_cast<int>(i))->producer())));
      const Node& producer = *At(v).value->producer();
      if (!producer.Is("Data") && !producer.const_value() && !made_[static_cast<size_t>(v)])
        return Wrong(StrCat("result ", i, ", ", Of(v), ", is made by no task"));
    }
    return {};
  }

  void NumberAliases() {
    class_.resize(n_);
    std::iota(class_.begin(), class_.end(), size_t{0});
    const auto find = [&](size_t v) {
      while (class_[v] != v) v = class_[v] = class_[class_[v]];
      return v;
    };
    for (const TaskPlan& t : plan_.tasks)
      if (t.node->may_alias_inputs())
        for (int in : t.inputs)
          for (int out : t.outputs)
            if (in >= 0) class_[find(static_cast<size_t>(out))] = find(static_cast<size_t>(in));
    for (size_t v = 0; v < n_; ++v) class_[find(v)] = find(static_cast<size_t>(plan_.MemoryOf(static_cast<int>(v))));
    for (size_t v = 0; v < n_; ++v) class_[v] = find(v);
  }
  size_t ClassOf(int v) const { return class_[static_cast<size_t>(v)]; }

  Status CheckEffects() const {
    const Node* last_effect = nullptr;
    std::vector<const Node*> writer(n_), access(n_);  // by class: the latest one, by the graph's order, among tasks so far
    const auto before = [&](const Node* a, const Node* b) { return !a || position_.at(a) <= position_.at(b); };
    for (const TaskPlan& t : plan_.tasks) {
      const bool effect = !t.node->pure();
      if (effect && !before(last_effect, t.node))
        return Wrong(StrCat("task ", Of(*t.node), " runs after ", Of(*last_effect), "; both have effects, the graph has them the other",
                            " way round"));
      if (effect) last_effect = t.node;
      const auto check = [&](int v) -> Status {
        if (v < 0) return {};
        const Node*& w = writer[ClassOf(v)];
        const Node*& a = access[ClassOf(v)];
        if (const Node* late = !before(w, t.node) ? w : effect && !before(a, t.node) ? a : nullptr)
          return Wrong(StrCat("task ", Of(*t.node), " runs after ", Of(*late), "; one may write ", Of(v),
                              ", the graph has them the other way round"));
        if (before(a, t.node)) a = t.node;
        if (effect) w = t.node;
        return {};
      };
      for (int v : t.inputs) GE_RETURN_IF_ERROR(check(v));
      for (int v : t.outputs) GE_RETURN_IF_ERROR(check(v));
    }
    return {};
  }

  Status CheckEscapes() const {
    std::vector<int> leaves(n_, -1);  // by class: a result of it
    for (int v : plan_.outputs) leaves[ClassOf(v)] = v;
    for (size_t v = 0; v < n_; ++v) {
      const int out = leaves[class_[v]];
      const Storage s = plan_.values[v].storage;
      if (out >= 0 && (s == Storage::kArena || s == Storage::kConst))
        return Wrong(StrCat(Of(static_cast<int>(v)), " leaves the graph as ", Of(out), ", but its memory is ",
                            s == Storage::kArena ? "the arena, which later calls use" : "the constant's own"));
    }
    return {};
  }

  Status CheckArena() const {
    std::vector<int> last(n_, -1), first(n_, -1);  // last: by class
    for (size_t t = 0; t < plan_.tasks.size(); ++t) {
      for (int v : plan_.tasks[t].inputs)
        if (v >= 0) last[ClassOf(v)] = static_cast<int>(t);
      for (int v : plan_.tasks[t].outputs) last[ClassOf(v)] = first[static_cast<size_t>(v)] = static_cast<int>(t);
    }
    std::vector<BufferRequest> requests;
    MemoryPlan memory{.total = plan_.arena_bytes};
    std::vector<int> owner;
    for (size_t v = 0; v < n_; ++v) {
      const ValuePlan& p = plan_.values[v];
      if (p.storage != Storage::kArena || p.alias_of != -1) continue;
      if (first[v] < 0) return Wrong(StrCat(Of(static_cast<int>(v)), " is in the arena, but no task makes it"));
      requests.push_back({.bytes = p.bytes, .first = first[v], .last = last[class_[v]]});
      memory.offsets.push_back(p.offset);
      owner.push_back(static_cast<int>(v));
    }
    Status s = VerifyMemoryPlan(requests, memory);
    if (s.ok()) return s;
    std::string names;
    for (size_t i = 0; i < owner.size(); ++i)
      if (s.message().find(StrCat("buffer ", i, " ")) != std::string::npos)
        names += StrCat(names.empty() ? "" : ", ", "buffer ", i, " is ", Of(owner[i]));
    return std::move(s).Annotate(StrCat("in the plan of graph '", plan_.graph->name(), "': ", names));
  }

  Status CheckReleases() const {
    std::vector<int> last(n_, -1);
    std::vector<uint8_t> released(n_), result(n_);
    for (size_t t = 0; t < plan_.tasks.size(); ++t) {
      for (int v : plan_.tasks[t].inputs)
        if (v >= 0) last[static_cast<size_t>(v)] = static_cast<int>(t);
      for (int v : plan_.tasks[t].outputs) last[static_cast<size_t>(v)] = static_cast<int>(t);
    }
    for (int v : plan_.outputs) result[static_cast<size_t>(v)] = 1;
    for (size_t t = 0; t < plan_.tasks.size(); ++t)
      for (int v : plan_.tasks[t].release) {
        const std::string where = StrCat("task ", Of(*plan_.tasks[t].node), " releases ");
        if (!Exists(v)) return Wrong(StrCat(where, "value ", v, "; there are ", n_));
        if (result[static_cast<size_t>(v)]) return Wrong(StrCat(where, Of(v), ", which is a result"));
        if (std::exchange(released[static_cast<size_t>(v)], uint8_t{1})) return Wrong(StrCat(where, Of(v), ", which is released already"));
        if (last[static_cast<size_t>(v)] > static_cast<int>(t))
          return Wrong(
              StrCat(where, Of(v), ", which ", Of(*plan_.tasks[static_cast<size_t>(last[static_cast<size_t>(v)])].node), " still uses"));
      }
    return {};
  }

  const GraphPlan& plan_;
  const size_t n_;
  std::unordered_map<const Node*, int> position_;  // looked up only
  std::unordered_map<const Value*, int> index_;    // looked up only
  std::vector<uint8_t> made_;                      // by value: by a task of the run or the constant stage
  std::vector<size_t> class_;                      // by value: values that may share memory have one
};

}  // namespace

Status VerifyGraphPlan(const GraphPlan& plan) { return PlanProof(plan).Run(); }

}  // namespace ge
