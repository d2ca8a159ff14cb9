#include "npu_runtime/loaded_model.h"

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
      if (v.value->type().IsStatic() && (v.storage == Storage::kInput || v.storage == Storage::kEngine))
        t.checked.push_back(static_cast<int>(i));
    }
  return t;
}

}  // namespace

RunHost::~RunHost() = default;
LoadedModel::~LoadedModel() = default;

Result<std::unique_ptr<LoadedModel>> LoadedModel::Load(std::shared_ptr<const CompiledModel> model, Device& device) {
  std::unique_ptr<LoadedModel> m(new LoadedModel());
  m->model_ = std::move(model);
  m->device_ = &device;
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
      if (t.node->Is("TransData")) g.weight_values.insert(g.weight_values.end(), t.outputs.begin(), t.outputs.end());
      g.weight_tasks.push_back(std::move(task));
    }
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
  return m;
}

const CompiledModel& LoadedModel::model() const { return *model_; }
const GraphPlan& LoadedModel::plan() const { return *entry_->plan; }

Result<std::shared_ptr<WeightSet>> LoadedModel::MakeWeightSet(std::span<Slot> inputs, RunHost& host, int num_threads,
                                                              std::exception_ptr* exception) const {
  const GraphPlan& plan = *entry_->plan;
  auto set = std::make_shared<WeightSet>();
  GE_ASSIGN_OR_RETURN(set->buffer_, Buffer::Make(*device_, plan.weight_bytes));
  GE_ASSIGN_OR_RETURN(Buffer workspace, Buffer::Make(*device_, entry_->workspace_bytes));
  std::map<int, Slot> slots;  // by value; intermediate results live until the set is made
  const auto slot_of = [&](int index) -> Result<Slot*> {
    auto [it, added] = slots.try_emplace(index);
    Slot& s = it->second;
    if (!added) return &s;
    const ValuePlan& v = plan.values[static_cast<size_t>(index)];
    const StaticDims& dims = entry_->dims[static_cast<size_t>(index)];
    const Node& producer = *v.value->producer();
    s.kind = v.value->type().kind();
    s.dtype = v.value->type().dtype();
    s.ndim = static_cast<int32_t>(v.value->type().rank());
    s.sizes = dims.sizes.data();
    s.strides = dims.strides.data();
    if (const Tensor* constant = producer.const_value()) {
      s.planned = true;
      s.data = const_cast<void*>(constant->data<void>());
    } else if (v.storage == Storage::kWeight) {
      s.planned = true;
      s.data = const_cast<std::byte*>(set->data()) + v.offset;
    } else if (producer.Is("Data")) {
      const Slot& given = inputs[static_cast<size_t>(producer.Int("index"))];
      s.object = given.object.Share();
      s.data = given.data, s.sizes = given.sizes, s.strides = given.strides, s.ndim = given.ndim;
    }
    return &s;
  };
  for (const LoadedTask& t : entry_->weight_tasks) {
    std::vector<Slot*> in, out;
    for (int index : t.plan->inputs) {
      Slot* s = nullptr;
      if (index >= 0) {
        GE_ASSIGN_OR_RETURN(s, slot_of(index));
        const ValueType& type = plan.values[static_cast<size_t>(index)].value->type();
        if (t.plan->node->Is("TransData") && !s->planned)
          GE_RETURN_IF_ERROR(host.Restride(type, entry_->dims[static_cast<size_t>(index)].strides, *s));
      }
      in.push_back(s);
    }
    for (int index : t.plan->outputs) {
      GE_ASSIGN_OR_RETURN(Slot * s, slot_of(index));
      out.push_back(s);
    }
    KernelContext k{.inputs = in, .outputs = out, .workspace = workspace.data(), .num_threads = num_threads, .exception = exception};
    GE_RETURN_IF_ERROR(t.executable->Run(k));
  }
  return set;
}

Status LoadedModel::Run(std::span<Slot> inputs, std::vector<Slot>& outputs, const WeightSet* weights, RunHost& host, int num_threads,
                        std::exception_ptr* exception) const {
  return entry_->Run(inputs, outputs, weights, RunState{host, num_threads, exception});
}

}  // namespace ge
