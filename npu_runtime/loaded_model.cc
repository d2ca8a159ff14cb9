#include "npu_runtime/loaded_model.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "npu_runtime/loaded_graph.h"

namespace ge {
namespace {

std::string Where(const Node& n) { return StrCat(n.op().name, " '", n.name(), "'", n.loc().empty() ? "" : StrCat(" (", n.loc(), ")")); }

Result<LoadedTask> LoadTask(const TaskPlan& plan, const GraphPlan& graph, const GraphFinder& find) {
  LoadedTask t;
  t.plan = &plan;
  Result<std::unique_ptr<Executable>> executable = plan.engine ? plan.engine->Load(*plan.node) : LoadControlFlow(*plan.node, find);
  if (!executable.ok()) return std::move(executable).status().Annotate(StrCat("while loading ", Where(*plan.node)));
  t.executable = *std::move(executable);
  t.workspace = t.executable->workspace_bytes();
  if (plan.engine && !plan.engine->allocates_outputs())
    for (size_t i = 0; i < plan.inputs.size(); ++i) {
      if (plan.inputs[i] < 0) continue;
      const ValuePlan& v = graph.values[static_cast<size_t>(plan.inputs[i])];
      // The engine's own allocations may have any strides; our plans and constants have the planned ones.
      // kNone: a result that only the constant stage reads.
      if (v.value->type().IsStatic() && v.value->type().IsTensor() &&
          (v.storage == Storage::kInput || v.storage == Storage::kEngine || v.storage == Storage::kHeld || v.storage == Storage::kNone))
        t.checked.push_back(static_cast<int>(i));
    }
  return t;
}

// Per weight value of the plan: positions in plan.weight_inputs of the weights it is made from, sorted.
std::vector<std::vector<int>> WeightDependencies(const GraphPlan& plan) {
  std::vector<std::vector<int>> by_value(plan.values.size());
  for (size_t i = 0; i < plan.weight_inputs.size(); ++i)
    by_value[static_cast<size_t>(plan.inputs[static_cast<size_t>(plan.weight_inputs[i])])] = {static_cast<int>(i)};
  for (const TaskPlan& t : plan.weight_tasks) {
    std::vector<int> all;
    for (int v : t.inputs)
      if (v >= 0) all.insert(all.end(), by_value[static_cast<size_t>(v)].begin(), by_value[static_cast<size_t>(v)].end());
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (int v : t.outputs) by_value[static_cast<size_t>(v)] = all;
  }
  std::vector<std::vector<int>> out;
  for (int v : plan.weight_values) out.push_back(by_value[static_cast<size_t>(v)]);
  return out;
}

bool DependsOnAny(const std::vector<int>& dependencies, std::span<const uint8_t> marked) {
  return std::ranges::any_of(dependencies, [&](int i) { return static_cast<size_t>(i) < marked.size() && marked[static_cast<size_t>(i)]; });
}

}  // namespace

RunHost::~RunHost() = default;
TaskHook::~TaskHook() = default;
LoadedModel::~LoadedModel() = default;

Result<std::unique_ptr<LoadedModel>> LoadedModel::Load(std::shared_ptr<const CompiledModel> model, Device& device) {
  std::unique_ptr<LoadedModel> m(new LoadedModel());
  m->model_ = std::move(model);
  m->device_ = &device;
  m->on_host_ = device.host_addressable();
  for (const auto& [name, plan] : m->model_->plans) m->graphs_.emplace(name, std::make_unique<Loaded>());
  const GraphFinder find = [&m](std::string_view name) -> Loaded* {
    auto it = m->graphs_.find(name);
    return it == m->graphs_.end() ? nullptr : it->second.get();
  };
  for (const auto& [name, plan] : m->model_->plans) {
    Loaded& g = *m->graphs_.find(name)->second;
    g.plan = &plan;
    g.device = &device;
    g.dims.resize(plan.values.size());
    for (size_t i = 0; i < plan.values.size(); ++i) {
      const ValueType& t = plan.values[i].value->type();
      if (!t.IsStatic()) continue;
      for (const Dim& d : t.shape()) g.dims[i].sizes.push_back(d.value());
      const bool packed = t.layout.kind == StorageLayout::Kind::kPacked;
      for (const Dim& d : packed ? t.ContiguousStrides() : t.Strides()) g.dims[i].strides.push_back(d.IsConst() ? d.value() : 0);
    }
    for (const TaskPlan& t : plan.weight_tasks) {
      GE_ASSIGN_OR_RETURN(LoadedTask task, LoadTask(t, plan, find));
      g.workspace_bytes = std::max(g.workspace_bytes, task.workspace);
      g.weight_tasks.push_back(std::move(task));
    }
    g.weight_dependencies = WeightDependencies(plan);
    std::vector<bool> released(plan.values.size());
    for (const TaskPlan& t : plan.tasks) {
      GE_ASSIGN_OR_RETURN(LoadedTask task, LoadTask(t, plan, find));
      g.workspace_bytes = std::max(g.workspace_bytes, task.workspace);
      for (int v : t.release) released[static_cast<size_t>(v)] = true;
      g.tasks.push_back(std::move(task));
    }
    for (size_t i = 0; i < plan.values.size(); ++i) {
      if (plan.values[i].storage == Storage::kCopy) g.copied_consts.push_back(static_cast<int>(i));
      if (!released[i] && HoldsObject(plan.values[i].storage)) g.leftovers.push_back(static_cast<int>(i));
    }
  }
  m->entry_ = find(m->model_->module->entry().name());
  GE_CHECK(m->entry_, "the entry graph has no plan");
  if (!m->on_host_)
    for (auto& [name, g] : m->graphs_) GE_RETURN_IF_ERROR(g->PrepareForDevice());
  return m;
}

const CompiledModel& LoadedModel::model() const { return *model_; }
const GraphPlan& LoadedModel::plan() const { return *entry_->plan; }

std::shared_ptr<const WeightSet> WeightSet::Without(std::span<const uint8_t> gone) const {
  auto set = std::make_shared<WeightSet>(*this);
  set->tasks_run_ = 0;
  for (size_t i = 0; i < values_.size(); ++i)
    if (DependsOnAny((*dependencies_)[i], gone)) set->values_[i] = nullptr;
  return set;
}

Result<std::shared_ptr<const WeightSet>> LoadedModel::MakeWeightSet(std::span<Slot> inputs, RunHost& host, int num_threads,
                                                                    std::exception_ptr* exception, const WeightSet* previous,
                                                                    std::span<const uint8_t> changed, TaskHook* hook) const {
  using Value = WeightSet::Value;
  const GraphPlan& plan = *entry_->plan;
  auto set = std::make_shared<WeightSet>();
  set->dependencies_ = &entry_->weight_dependencies;
  set->values_.resize(plan.weight_values.size());
  std::vector<std::shared_ptr<Value>> values(plan.values.size());      // made or borrowed by this call
  std::vector<std::shared_ptr<const Value>> kept(plan.values.size());  // of the previous set
  std::vector<uint8_t> wanted(plan.values.size());
  for (size_t i = 0; i < plan.weight_values.size(); ++i) {
    const auto v = static_cast<size_t>(plan.weight_values[i]);
    if (previous && !DependsOnAny(entry_->weight_dependencies[i], changed)) kept[v] = previous->values_[i];
    wanted[v] = !kept[v];
  }
  // Backwards: which tasks are needed, and after which of them a value is read no more.
  std::vector<size_t> todo;
  std::vector<std::vector<size_t>> last_reads(entry_->weight_tasks.size());
  std::vector<uint8_t> read(plan.values.size());
  for (size_t t = entry_->weight_tasks.size(); t-- > 0;) {
    const TaskPlan& task = *entry_->weight_tasks[t].plan;
    if (std::ranges::none_of(task.outputs, [&](int v) { return wanted[static_cast<size_t>(v)]; })) continue;
    todo.push_back(t);
    for (int index : task.inputs) {
      if (index < 0) continue;
      const auto v = static_cast<size_t>(index);
      if (!kept[v]) wanted[v] = 1;
      if (!read[v]) last_reads[t].push_back(v);
      read[v] = 1;
    }
  }
  GE_ASSIGN_OR_RETURN(Buffer workspace, Buffer::Make(*device_, entry_->workspace_bytes));
  const RunState state{host, num_threads, exception};
  // Copies plain host memory that the stage reads to a device that cannot read it.
  const auto upload = [&](Value& value) -> Status {
    Slot& s = value.slot;
    if (device_->host_addressable() || s.kind != ValueType::Kind::kTensor || !s.data || !s.strides) return {};
    const int64_t bytes = ExtentBytes(s);
    GE_ASSIGN_OR_RETURN(value.memory, Buffer::Make(*device_, bytes));
    GE_RETURN_IF_ERROR(device_->Copy(UploadFrom(*device_, s.data, bytes), value.memory.data(), s.data, bytes));
    s.data = value.memory.data();
    s.planned = true;
    value.given = std::move(s.object);  // sizes and strides are the tensor's
    return {};
  };
  // A value's slot with its planned type; inputs and constants filled.
  const auto describe = [&](size_t v, Slot& s) {
    const ValueType& type = plan.values[v].value->type();
    const Node& producer = *plan.values[v].value->producer();
    s.kind = type.kind();
    s.dtype = type.dtype();
    s.ndim = static_cast<int32_t>(type.rank());
    s.sizes = entry_->dims[v].sizes.data();
    s.strides = entry_->dims[v].strides.data();
    if (const Tensor* constant = producer.const_value()) {
      s.planned = true;
      s.data = const_cast<void*>(constant->data<void>());
    } else if (producer.Is("Data")) {
      const Slot& given = inputs[static_cast<size_t>(producer.Int("index"))];
      s.object = given.object.Share();
      s.kind = given.kind, s.dtype = given.dtype, s.planned = given.planned;
      s.data = given.data, s.sizes = given.sizes, s.strides = given.strides, s.ndim = given.ndim;
    }
  };
  for (size_t k = todo.size(); k-- > 0;) {
    const LoadedTask& t = entry_->weight_tasks[todo[k]];
    const bool plans_memory = !t.plan->engine->allocates_outputs();
    std::vector<Slot*> in, out;
    std::vector<Slot> lent;  // the slots of kept values are not ours to write
    lent.reserve(t.plan->inputs.size());
    std::vector<std::shared_ptr<const Value>> sources;
    for (int index : t.plan->inputs) {
      if (index < 0) {
        in.push_back(nullptr);
        continue;
      }
      const auto v = static_cast<size_t>(index);
      if (kept[v]) {
        const Slot& s = kept[v]->slot;
        Slot& copy = lent.emplace_back();
        copy.kind = s.kind, copy.dtype = s.dtype, copy.planned = s.planned, copy.ndim = s.ndim;
        copy.sizes = s.sizes, copy.strides = s.strides, copy.data = s.data;
        if (!s.planned) copy.object = s.object.Share();
        in.push_back(&copy);
        sources.push_back(kept[v]);
        continue;
      }
      if (!values[v]) {
        values[v] = std::make_shared<Value>();
        describe(v, values[v]->slot);
        GE_RETURN_IF_ERROR(upload(*values[v]));
      }
      in.push_back(&values[v]->slot);
      sources.push_back(values[v]);
    }
    for (int index : t.plan->outputs) {
      const auto v = static_cast<size_t>(index);
      auto value = std::make_shared<Value>();
      describe(v, value->slot);
      if (plans_memory) {
        GE_ASSIGN_OR_RETURN(value->memory, Buffer::Make(*device_, plan.values[v].bytes));
        value->slot.planned = true;
        value->slot.data = value->memory.data();
      } else if (t.plan->node->may_alias_inputs()) {
        value->sources = sources;
      }
      out.push_back(&value->slot);
      values[v] = std::move(value);
    }
    if (hook) hook->BeforeTask(plan, *t.plan, 0);
    Status status = RunExecutable(t, *entry_, in, out, workspace.data(), state);
    if (hook && !status.ok()) hook->TaskFailed(plan, *t.plan);
    GE_RETURN_IF_ERROR(std::move(status));
    ++set->tasks_run_;
    if (hook) GE_RETURN_IF_ERROR(hook->AfterTask(plan, *t.plan, in, out));
    for (size_t v : last_reads[todo[k]])
      if (plan.values[v].storage != Storage::kWeight && plan.values[v].storage != Storage::kHeld) values[v] = nullptr;
  }
  for (size_t i = 0; i < plan.weight_values.size(); ++i) {
    const auto v = static_cast<size_t>(plan.weight_values[i]);
    if (kept[v])
      set->values_[i] = kept[v];
    else
      set->values_[i] = values[v];
  }
  return std::shared_ptr<const WeightSet>(std::move(set));
}

Status LoadedModel::Run(std::span<Slot> inputs, std::vector<Slot>& outputs, const WeightSet* weights, RunHost& host, int num_threads,
                        std::exception_ptr* exception, TaskHook* hook) const {
  const RunState state{host, num_threads, exception, hook};
  return on_host_ ? entry_->Run(inputs, outputs, weights, state) : entry_->RunOnDevice(inputs, outputs, weights, state);
}

}  // namespace ge
