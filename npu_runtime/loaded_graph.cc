#include "npu_runtime/loaded_graph.h"

#include <cstring>

#include "ge_core/base/str.h"

namespace ge {
namespace {

// Strides matter only along axes with more than one element, and not at all in an empty tensor.
bool SameMemoryOrder(const Slot& s, const StaticDims& want) {
  if (!s.data && s.kind == ValueType::Kind::kTensor && !s.strides) return false;
  if (s.ndim != static_cast<int32_t>(want.sizes.size())) return false;
  for (size_t i = 0; i < want.sizes.size(); ++i)
    if (s.sizes[i] != want.sizes[i]) return false;
  for (size_t i = 0; i < want.sizes.size(); ++i)
    if (want.sizes[i] == 0) return true;
  for (size_t i = 0; i < want.sizes.size(); ++i)
    if (want.sizes[i] > 1 && s.strides[i] != want.strides[i]) return false;
  return true;
}

}  // namespace

Slot Lend(const Slot& s) {
  Slot out;
  out.kind = s.kind, out.dtype = s.dtype, out.planned = s.planned, out.ndim = s.ndim;
  out.sizes = s.sizes, out.strides = s.strides, out.data = s.data, out.sym = s.sym;
  out.object = s.object.Share();
  return out;
}

bool HoldsObject(Storage s) { return s != Storage::kConst && s != Storage::kArena && s != Storage::kWeight; }

void* LoadedModel::Loaded::ConstantData(size_t value) const {
  if (!constants.empty()) return constants[value].data();
  return const_cast<void*>(plan->values[value].value->producer()->const_value()->data<void>());
}

Result<std::unique_ptr<LoadedModel::Loaded::Context>> LoadedModel::Loaded::NewContext() const {
  auto c = std::make_unique<Context>();
  GE_ASSIGN_OR_RETURN(c->arena, Buffer::Make(*device, plan->arena_bytes));
  GE_ASSIGN_OR_RETURN(c->workspace, Buffer::Make(*device, workspace_bytes));
  c->slots.resize(plan->values.size());
  for (size_t i = 0; i < plan->values.size(); ++i) {
    const ValuePlan& v = plan->values[i];
    const ValueType& t = v.value->type();
    Slot& s = c->slots[i];
    s.kind = t.kind();
    s.dtype = t.dtype();
    if (!t.IsStatic()) continue;
    s.ndim = static_cast<int32_t>(t.rank());
    s.sizes = dims[i].sizes.data();
    s.strides = dims[i].strides.data();
    if (v.storage == Storage::kArena) s.planned = true, s.data = c->arena.data() + v.offset;
    if (v.storage == Storage::kWeight) s.planned = true;
    if (v.storage == Storage::kConst) s.planned = true, s.data = ConstantData(i);
  }
  const auto pointers = [&](const std::vector<int>& indices) {
    std::vector<Slot*> out;
    for (int i : indices) out.push_back(i < 0 ? nullptr : &c->slots[static_cast<size_t>(i)]);
    return out;
  };
  for (const LoadedTask& t : tasks) {
    c->task_inputs.push_back(pointers(t.plan->inputs));
    c->task_outputs.push_back(pointers(t.plan->outputs));
  }
  return c;
}

Result<std::unique_ptr<LoadedModel::Loaded::Context>> LoadedModel::Loaded::Acquire() {
  {
    std::lock_guard lock(mutex_);
    if (!pool_.empty()) {
      auto c = std::move(pool_.back());
      pool_.pop_back();
      return c;
    }
  }
  return NewContext();
}

void LoadedModel::Loaded::Release(std::unique_ptr<Context> context) {
  std::lock_guard lock(mutex_);
  pool_.push_back(std::move(context));
}

void LoadedModel::Loaded::Clear(Context& c) const {
  for (size_t i = 0; i < plan->values.size(); ++i)
    if (HoldsObject(plan->values[i].storage)) c.slots[i].object.reset();
}

Status RunExecutable(const LoadedTask& task, const LoadedModel::Loaded& graph, std::span<Slot* const> inputs,
                     std::span<Slot* const> outputs, std::byte* workspace, const RunState& state) {
  KernelContext k;
  k.inputs = inputs;
  k.outputs = outputs;
  k.workspace = workspace;
  k.num_threads = state.num_threads;
  k.exception = state.exception;
  k.run_state = &state;
  std::vector<Slot> copies;
  std::vector<Slot*> replaced;
  for (int i : task.checked) {
    const size_t value = static_cast<size_t>(task.plan->inputs[static_cast<size_t>(i)]);
    const ValuePlan& plan = graph.plan->values[value];
    const StaticDims& want = graph.dims[value];
    Slot& s = *inputs[static_cast<size_t>(i)];
    const bool right_type = s.kind == ValueType::Kind::kTensor && s.dtype == plan.value->type().dtype();
    if (right_type && (s.data || plan.bytes == 0) && SameMemoryOrder(s, want)) continue;
    if (copies.empty()) {
      copies.reserve(task.checked.size());
      replaced.assign(inputs.begin(), inputs.end());
    }
    Slot& copy = copies.emplace_back();
    copy.kind = s.kind, copy.dtype = s.dtype, copy.planned = s.planned, copy.ndim = s.ndim;
    copy.sizes = s.sizes, copy.strides = s.strides, copy.data = s.data;
    copy.object = s.object.Share();
    GE_RETURN_IF_ERROR(state.host.Restride(plan.value->type(), want.strides, copy));
    replaced[static_cast<size_t>(i)] = &copy;
    k.inputs = replaced;
  }
  return task.executable->Run(k);
}

Status LoadedModel::Loaded::RunTask(const LoadedTask& task, size_t index, Context& c, const RunState& state) const {
  for (size_t i = 0; i < task.plan->outputs.size(); ++i) {
    const ValuePlan& v = plan->values[static_cast<size_t>(task.plan->outputs[i])];
    if (v.storage == Storage::kFresh) GE_RETURN_IF_ERROR(state.host.AllocateFresh(v.value->type(), *c.task_outputs[index][i]));
  }
  return RunExecutable(task, *this, c.task_inputs[index], c.task_outputs[index], c.workspace.data(), state);
}

Status LoadedModel::Loaded::RunObserved(size_t index, Context& c, const RunState& state) const {
  const TaskPlan& task = *tasks[index].plan;
  state.hook->BeforeTask(*plan, task, state.stream);
  Status status = RunTask(tasks[index], index, c, state);
  if (status.ok()) return state.hook->AfterTask(*plan, task, c.task_inputs[index], c.task_outputs[index]);
  state.hook->TaskFailed(*plan, task);
  return status;
}

void LoadedModel::Loaded::PutWeights(const WeightSet* weights, std::span<Slot> slots) const {
  for (size_t i = 0; i < plan->weight_values.size(); ++i) {
    const Slot& made = weights->values_[i]->slot;
    Slot& s = slots[static_cast<size_t>(plan->weight_values[i])];
    if (made.planned) {
      if (s.data != made.data) s.object.reset();  // a tensor that the ATen engine made over the memory of another set
      s.data = made.data;
    } else {
      s.kind = made.kind, s.dtype = made.dtype, s.planned = false, s.ndim = made.ndim;
      s.sizes = made.sizes, s.strides = made.strides, s.data = made.data;
      s.object = made.object.Share();
    }
  }
}

Status LoadedModel::Loaded::CheckCall(size_t inputs, const WeightSet* weights) const {
  if (inputs != plan->inputs.size())
    return InvalidArgument(
        StrCat("graph '", plan->graph->name(), "' takes ", plan->inputs.size(), " inputs, ", inputs, " were given"));
  if (!plan->weight_values.empty() && !weights) return FailedPrecondition("the graph needs a weight set");
  return {};
}

Status LoadedModel::Loaded::Run(std::span<Slot> inputs, std::vector<Slot>& outputs, const WeightSet* weights, const RunState& state) {
  GE_RETURN_IF_ERROR(CheckCall(inputs.size(), weights));
  GE_ASSIGN_OR_RETURN(std::unique_ptr<Context> context, Acquire());
  Context& c = *context;
  for (size_t i = 0; i < inputs.size(); ++i) {
    Slot& s = c.slots[static_cast<size_t>(plan->inputs[i])];
    s = std::move(inputs[i]);
  }
  PutWeights(weights, c.slots);
  for (int v : copied_consts) {
    const Tensor& value = *plan->values[static_cast<size_t>(v)].value->producer()->const_value();
    Slot& s = c.slots[static_cast<size_t>(v)];
    Status status = state.host.AllocateFresh(value.type(), s);
    if (!status.ok()) {
      Clear(c);
      Release(std::move(context));
      return status;
    }
    if (!value.bytes().empty()) std::memcpy(s.data, value.bytes().data(), value.bytes().size());
  }
  for (size_t i = 0; i < tasks.size(); ++i) {
    Status status = state.hook ? RunObserved(i, c, state) : RunTask(tasks[i], i, c, state);
    if (!status.ok()) {
      Clear(c);
      Release(std::move(context));
      return status;
    }
    for (int v : tasks[i].plan->release) c.slots[static_cast<size_t>(v)].object.reset();
  }
  outputs.clear();
  outputs.reserve(plan->outputs.size());
  for (int v : plan->outputs) {
    Slot& s = c.slots[static_cast<size_t>(v)];
    Slot& out = outputs.emplace_back();
    out.kind = s.kind, out.dtype = s.dtype, out.planned = s.planned, out.ndim = s.ndim;
    out.sizes = s.sizes, out.strides = s.strides, out.data = s.data, out.sym = s.sym;
    if (HoldsObject(plan->values[static_cast<size_t>(v)].storage)) out.object = s.object.Share();
  }
  for (int v : leftovers) c.slots[static_cast<size_t>(v)].object.reset();
  Release(std::move(context));
  return {};
}

}  // namespace ge
