#include "torch_backend/csrc/node_check.h"

#include <ATen/CPUGeneratorImpl.h>
#include <c10/core/impl/TorchDispatchModeTLS.h>

#include "ge_core/base/str.h"
#include "ge_core/compile/compile.h"
#include "host_kernels/aten/tensor_slot.h"
#include "torch_backend/csrc/torch_host.h"

namespace ge::torch_backend {
namespace {

// The check's own work is no part of the user's program: no gradients, and his dispatch modes do not see it.
struct Quietly {
  at::NoGradGuard no_grad;
  WithoutPythonModes no_modes;
};

// Puts the default generator back at the end.
class KeepRandomState {
 public:
  KeepRandomState() : generator_(at::detail::getDefaultCPUGenerator()) {
    std::lock_guard lock(generator_.mutex());
    state_ = generator_.get_state();
  }
  ~KeepRandomState() {
    std::lock_guard lock(generator_.mutex());
    generator_.set_state(state_);
  }

 private:
  at::Generator generator_;
  at::Tensor state_;
};

// Copies of tensors as the graph gets them: the same sizes, strides and offsets, and shared memory stays shared.
class Copier {
 public:
  at::Tensor Copy(const at::Tensor& t) {
    const at::Tensor plain = t.detach();
    if (!aten::IsPlain(plain) || plain.unsafeGetTensorImpl()->is_python_dispatch()) return plain.clone();
    auto& whole = storages_[plain.storage().unsafeGetStorageImpl()];
    if (!whole.defined()) {
      const auto bytes = static_cast<int64_t>(plain.storage().nbytes());
      const at::Tensor all = at::empty({0}, plain.options().dtype(at::kByte)).set_(plain.storage(), 0, {bytes}, {1});
      whole = all.clone();
    }
    return at::empty({0}, plain.options()).set_(whole.storage(), plain.storage_offset(), plain.sizes(), plain.strides());
  }

 private:
  std::unordered_map<const c10::StorageImpl*, at::Tensor> storages_;  // looked up only
};

Slot Lend(const Slot& s) {
  Slot out;
  out.kind = s.kind, out.dtype = s.dtype, out.planned = s.planned, out.ndim = s.ndim;
  out.sizes = s.sizes, out.strides = s.strides, out.data = s.data, out.sym = s.sym;
  out.object = s.object.Share();
  return out;
}

// One node on given operands, apart from any plan: results in tensors of their own.
class Alone {
 public:
  static std::optional<Alone> Make(const Node& node, const Engine& engine) {
    Alone a;
    if (!engine.Supports(node).ok) return std::nullopt;
    Result<std::unique_ptr<Executable>> loaded = engine.Load(node);
    if (!loaded.ok()) return std::nullopt;
    a.node_ = &node;
    a.own_memory_ = !engine.allocates_outputs();
    a.executable_ = *std::move(loaded);
    return a;
  }

  // Empty: it did not run.
  std::vector<Slot> Run(std::span<Slot* const> inputs, int num_threads) const {
    std::vector<Slot> operands, results(static_cast<size_t>(node_->num_outputs()));
    std::vector<Slot*> in, out;
    operands.reserve(inputs.size());
    for (const Slot* s : inputs) {
      in.push_back(s ? &operands.emplace_back(Lend(*s)) : nullptr);
      // Kernels of ours read memory in the order of the node's type.
      if (s && own_memory_ && s->kind == ValueType::Kind::kTensor && !s->planned)
        aten::PutTensor(*in.back(), InOrder(aten::GetTensor(*in.back()), node_->input(static_cast<int>(in.size() - 1))->type()));
    }
    for (size_t i = 0; i < results.size(); ++i) {
      const ValueType& type = node_->output(static_cast<int>(i))->type();
      if (own_memory_) {
        if (!type.IsStatic()) return {};
        aten::PutTensor(results[i], InOrder({}, type));
      }
      results[i].dtype = type.dtype();
      out.push_back(&results[i]);
    }
    std::vector<std::byte> workspace(static_cast<size_t>(executable_->workspace_bytes()) + 64);
    void* aligned = workspace.data();
    size_t space = workspace.size();
    std::align(64, workspace.size() - 64, aligned, space);
    std::exception_ptr exception;
    KernelContext k{.inputs = in, .outputs = out};
    k.workspace = static_cast<std::byte*>(aligned);
    k.num_threads = num_threads;
    k.exception = &exception;
    return executable_->Run(k).ok() ? std::move(results) : std::vector<Slot>();
  }

 private:
  // `t`, or fresh memory where it is undefined, with the strides of `type`.
  static at::Tensor InOrder(const at::Tensor& t, const ValueType& type) {
    std::vector<int64_t> sizes, strides;
    for (const Dim& d : type.shape()) sizes.push_back(d.value());
    for (const Dim& d : type.Strides()) strides.push_back(d.value());
    at::Tensor out = at::empty_strided(sizes, strides, at::TensorOptions().dtype(aten::ToScalarType(type.dtype())));
    return t.defined() ? out.copy_(t) : out;
  }

  const Node* node_ = nullptr;
  bool own_memory_ = false;
  std::unique_ptr<Executable> executable_;
};

std::vector<at::Tensor> Tensors(std::span<Slot* const> slots) {
  std::vector<at::Tensor> out;
  for (const Slot* s : slots)
    if (s) out.push_back(Observe(*s, false).tensor);
  return out;
}

bool HasPackedOperand(const Node& node) {
  for (const Value* v : node.inputs())
    if (v && v->type().IsTensor() && v->type().layout.kind == StorageLayout::Kind::kPacked) return true;
  return false;
}

// The body of a fused region, node by node.
class RegionRun {
 public:
  explicit RegionRun(const Graph& body) : body_(body) {}

  // Runs every node by `engine` on `given` (null: on this run's own values). Calls `seen(node, operands, results)` after each.
  template <typename Seen>
  bool Run(const Engine& engine, std::span<Slot* const> inputs, int num_threads, Seen seen) {
    for (const Node* n : body_.nodes()) {
      if (n == body_.net_output()) continue;
      if (n->Is("Data")) {
        const Slot* s = inputs[static_cast<size_t>(n->Int("index"))];
        if (!s) return false;
        slots_.insert_or_assign(n->output(), Lend(*s));
        continue;
      }
      if (const Tensor* constant = n->const_value()) {
        Slot s;
        aten::PutTensor(s, FromConstant(*constant));
        slots_.insert_or_assign(n->output(), std::move(s));
        continue;
      }
      const std::optional<Alone> alone = Alone::Make(*n, engine);
      if (!alone) return false;
      std::vector<Slot*> in;
      for (const Value* v : n->inputs()) in.push_back(v ? &slots_.at(v) : nullptr);
      std::vector<Slot> out = alone->Run(in, num_threads);
      if (out.empty()) return false;
      if (!seen(*n, std::span<Slot* const>(in), out)) return false;
      for (int i = 0; i < n->num_outputs(); ++i) slots_.insert_or_assign(n->output(i), std::move(out[static_cast<size_t>(i)]));
    }
    return true;
  }
  const Slot& Result(int index) const { return slots_.at(body_.net_output()->input(index)); }

  static at::Tensor FromConstant(const Tensor& t) {
    std::vector<int64_t> sizes;
    for (const Dim& d : t.type().shape()) sizes.push_back(d.value());
    return at::from_blob(const_cast<void*>(t.data<void>()), sizes, at::TensorOptions().dtype(aten::ToScalarType(t.dtype()))).clone();
  }

 private:
  const Graph& body_;
  std::unordered_map<const Value*, Slot> slots_;  // looked up only
};

}  // namespace

// Keeps the reference's values that are asked for.
struct NodeCheck::Recorder final : TaskHook {
  const NodeCheck& check;
  std::vector<std::optional<Observed>>& values;
  Recorder(const NodeCheck& c, std::vector<std::optional<Observed>>& v) : check(c), values(v) {}
  Status AfterTask(const GraphPlan& plan, const TaskPlan& task, std::span<Slot* const>, std::span<Slot* const> outputs) override {
    if (&plan != &check.reference_->entry()) return {};
    Quietly quietly;
    for (size_t i = 0; i < outputs.size(); ++i)
      if (const auto v = static_cast<size_t>(task.outputs[i]); check.needed_[v]) values[v] = Observe(*outputs[i], true);
    return {};
  }
};

Result<std::unique_ptr<NodeCheck>> NodeCheck::Make(std::unique_ptr<Module> reference, std::shared_ptr<const CompiledModel> optimised,
                                                   const ValueOrigins& origins, const ChangeLog& log, const EngineList& eager,
                                                   const Engine& aten, Device& device) {
  std::unique_ptr<NodeCheck> check(new NodeCheck());
  check->aten_ = &aten;
  check->optimised_ = std::move(optimised);
  GE_ASSIGN_OR_RETURN(CompiledModel plan, Compile(std::move(reference), eager));
  check->reference_ = std::make_shared<const CompiledModel>(std::move(plan));
  GE_ASSIGN_OR_RETURN(check->eager_, LoadedModel::Load(check->reference_, device));
  for (const auto& graph : check->optimised_->module->graphs())
    for (const Node* n : graph->nodes()) {
      if (const std::string* pass = log.MadeBy(*n)) check->made_by_.emplace(n, *pass);
      if (auto it = origins.changed_by.find(n); it != origins.changed_by.end()) check->changed_by_.emplace(n, it->second);
    }
  check->FindUnwritten(check->reference_->entry());
  check->Aim(origins, check->reference_->entry());
  return check;
}

int NodeCheck::ReferenceValue(const ValueOrigins::Origin& origin) const {
  auto it = by_name_.find(ValueOrigins::Key(origin.graph, origin.node, origin.index));
  return it == by_name_.end() ? -1 : it->second;
}

void NodeCheck::FindUnwritten(const GraphPlan& plan) {
  unwritten_.resize(plan.values.size());
  murky_.resize(plan.values.size());
  std::unordered_map<const Value*, size_t> index;    // looked up only
  for (size_t i = 0; i < plan.values.size(); ++i) {  // values are in topological order
    const Node& n = *plan.values[i].value->producer();
    index.emplace(plan.values[i].value, i);
    unwritten_[i] =
        n.Is("Empty") || n.Is("EmptyLike") || n.Is("EmptyStrided") || (n.Is("AtenCall") && n.Str("op").find("empty") != std::string::npos);
    murky_[i] = unwritten_[i];
    for (const Value* in : n.inputs())
      if (in && murky_[index.at(in)]) murky_[i] = true;
  }
}

// Finds for every value of the optimised entry graph what it is compared with.
void NodeCheck::Aim(const ValueOrigins& origins, const GraphPlan& plan) {
  needed_.resize(plan.values.size());
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = *plan.values[i].value;
    by_name_.emplace(ValueOrigins::Key(plan.graph->name(), v.producer()->name(), v.index()), static_cast<int>(i));
  }
  const auto find = [&](const std::vector<ValueOrigins::Origin>& from, const ValueType& type) {
    std::vector<Target> out;
    if (type.IsTensor() && type.layout.kind == StorageLayout::Kind::kPacked) return out;
    for (const ValueOrigins::Origin& o : from) {
      const int v = ReferenceValue(o);
      // A value that changed its type in place means something else now.
      if (v < 0 || plan.values[static_cast<size_t>(v)].value->type().kind() != type.kind()) continue;
      if (type.IsTensor() && plan.values[static_cast<size_t>(v)].value->type().dtype() != type.dtype()) continue;
      needed_[static_cast<size_t>(v)] = true;
      out.push_back({v, o.pass});
    }
    return out;
  };
  const GraphPlan& entry = optimised_->entry();
  targets_.resize(entry.values.size());
  for (size_t i = 0; i < entry.values.size(); ++i) {
    const Value* v = entry.values[i].value;
    if (auto it = origins.of.find(v); it != origins.of.end()) targets_[i] = find(it->second, v->type());
    const Node& node = *v->producer();
    if (!node.Is("FusedRegion") || v->index() != 0) continue;
    const Graph* body = optimised_->module->Find(node.attrs().Get<Attr::GraphRef>("body")->name);
    for (const Node* inner : body->nodes())
      for (int o = 0; o < inner->num_outputs(); ++o)
        if (auto it = origins.erased.find(ValueOrigins::Key(entry.graph->name(), inner->name(), o));
            it != origins.erased.end() && !inner->Is("Data"))
          inner_.emplace(inner->output(o), find(it->second, inner->output(o)->type()));
  }
}

std::string NodeCheck::Describe(const Node& node, const Engine* engine) const {
  const std::string what = node.Is("AtenCall") ? node.Str("op") : node.Is("PyCall") ? node.Str("target") : std::string(node.op().name);
  std::string out = StrCat("node '", node.name(), "' (", what, ")");
  if (engine) out += StrCat(" on engine ", engine->name());
  if (!node.loc().empty()) out += StrCat(", from ", node.loc());
  if (auto it = made_by_.find(&node); it != made_by_.end())
    out += StrCat(", made by pass ", it->second);
  else if (auto changed = changed_by_.find(&node); changed != changed_by_.end())
    out += StrCat(", changed by pass ", changed->second);
  else
    out += ", as imported";
  return out;
}

Status NodeCheck::Call::Begin(std::span<Slot> inputs, std::span<const at::Tensor> weights, RunHost& host, int num_threads) {
  num_threads_ = num_threads;
  const GraphPlan& plan = check_.reference_->entry();
  values_.resize(plan.values.size());
  std::vector<Slot> given;
  Copier copier;
  {
    Quietly quietly;
    for (size_t i = 0; i < inputs.size(); ++i) {
      const Value& value = *plan.values[static_cast<size_t>(plan.inputs[i])].value;
      Slot s = Lend(inputs[i]);
      const std::vector<int>& bound = check_.optimised_->entry().weight_inputs;
      if (const auto it = std::find(bound.begin(), bound.end(), static_cast<int>(i)); it != bound.end() && !weights.empty())
        aten::PutTensor(s, weights[static_cast<size_t>(it - bound.begin())]);
      at::Tensor original, copy;
      if (s.kind == ValueType::Kind::kTensor && s.object && s.object.ops() == &aten::kTensorOps && !value.producer()->Bool("weight")) {
        original = aten::GetTensor(s);
        copy = copier.Copy(original);
        aten::PutTensor(s, copy);
      }
      inputs_.push_back(std::move(original));
      copies_.push_back(std::move(copy));
      if (const auto v = static_cast<size_t>(plan.inputs[i]); check_.needed_[v]) values_[v] = Observe(s, true);
      given.push_back(std::move(s));
    }
    for (size_t v = 0; v < plan.values.size(); ++v)
      if (const Tensor* t = plan.values[v].value->producer()->const_value(); t && check_.needed_[v])
        values_[v] = Observed{RegionRun::FromConstant(*t), {}};
  }
  std::exception_ptr exception;
  Status status;
  {
    KeepRandomState keep;
    std::optional<Quietly> quietly;
    if (c10::impl::TorchDispatchModeTLS::any_modes_set()) quietly.emplace();
    Recorder recorder(check_, values_);
    std::shared_ptr<const WeightSet> set;
    if (!plan.weight_tasks.empty()) {
      Result<std::shared_ptr<const WeightSet>> made =
          check_.eager_->MakeWeightSet(given, host, num_threads, &exception, nullptr, {}, &recorder);
      if (made.ok())
        set = *std::move(made);
      else
        status = std::move(made).status();
    }
    if (status.ok()) status = check_.eager_->Run(given, outputs_, set.get(), host, num_threads, &exception, &recorder);
  }
  if (!status.ok()) {
    failed_ = status.message().empty() ? "an exception" : status.message();
    return {};
  }
  return check_.CompareStart(*this);
}

// Constants that passes made, and inputs that stand for a computation.
Status NodeCheck::CompareStart(Call& call) const {
  Quietly quietly;
  const GraphPlan& entry = optimised_->entry();
  for (size_t i = 0; i < entry.values.size(); ++i) {
    const Node& node = *entry.values[i].value->producer();
    if (!node.const_value() && !node.Is("Data")) continue;
    for (const Target& target : targets_[i]) {
      const std::optional<Observed>& expected = call.values_[static_cast<size_t>(target.value)];
      if (target.pass.empty() || !expected || murky_[static_cast<size_t>(target.value)]) continue;
      Observed found;
      if (node.const_value()) {
        found.tensor = RegionRun::FromConstant(*node.const_value());
      } else {
        found.tensor = call.inputs_[static_cast<size_t>(node.Int("index"))];
      }
      if (const Difference d = Compare(*expected, found); !d.empty())
        return Judge(call, TaskPlan{.node = &node}, entry.values[i].value->index(), target, d, {}, {});
    }
  }
  return {};
}

Status NodeCheck::Call::AfterTask(const GraphPlan& plan, const TaskPlan& task, std::span<Slot* const> inputs,
                                  std::span<Slot* const> outputs) {
  if (&plan != &check_.optimised_->entry() || !failed_.empty()) return {};
  Quietly quietly;
  for (size_t i = 0; i < outputs.size(); ++i) {
    for (const Target& target : check_.targets_[static_cast<size_t>(task.outputs[i])]) {
      const std::optional<Observed>& expected = values_[static_cast<size_t>(target.value)];
      if (!expected) continue;
      const Observed found = Observe(*outputs[i], false);
      const std::vector<at::Tensor> operands = Tensors(inputs);
      const bool any_bytes = check_.unwritten_[static_cast<size_t>(target.value)];
      if (const Difference d = any_bytes ? Difference() : Compare(*expected, found, operands); !d.empty())
        GE_RETURN_IF_ERROR(check_.Judge(*this, task, static_cast<int>(i), target, d, inputs, outputs));
      // Go on from eager's value.
      const at::Tensor &to = found.tensor, &from = expected->tensor;
      if (task.node->may_alias_inputs() || task.node->op().Has(kMutates) || !to.defined() || !from.defined()) continue;
      if (to.layout() != at::kStrided || to.is_quantized() || to.sizes() != from.sizes()) continue;
      if (at::isFloatingType(to.scalar_type()) || to.is_complex() || at::isIntegralType(to.scalar_type(), true)) to.copy_(from);
    }
  }
  return {};
}

// A result differs. Finds out who is to blame; OK: nobody, the operands differ as they may.
Status NodeCheck::Judge(const Call& call, const TaskPlan& task, int output, const Target& target, const Difference& difference,
                        std::span<Slot* const> inputs, std::span<Slot* const> outputs) const {
  const Node& node = *task.node;
  const bool as_imported = target.pass.empty() && !made_by_.contains(&node) && !changed_by_.contains(&node);
  const std::string rewriter = !target.pass.empty()          ? target.pass
                               : made_by_.contains(&node)    ? made_by_.at(&node)
                               : changed_by_.contains(&node) ? changed_by_.at(&node)
                                                             : std::string();
  std::string cause;
  const std::vector<at::Tensor> operands = Tensors(inputs);
  if (node.Is("FusedRegion")) {
    const Graph& body = *optimised_->module->Find(node.attrs().Get<Attr::GraphRef>("body")->name);
    RegionRun eager(body);
    const bool ran = eager.Run(*aten_, inputs, call.num_threads_, [&](const Node& n, std::span<Slot* const> in, std::vector<Slot>& out) {
      const std::vector<at::Tensor> terms = Tensors(in);
      for (int o = 0; o < n.num_outputs(); ++o) {
        auto it = inner_.find(n.output(o));
        if (it == inner_.end()) continue;
        for (const Target& t : it->second)
          if (const auto& want = call.values_[static_cast<size_t>(t.value)]; want && cause.empty())
            if (const Difference d = Compare(*want, Observe(out[static_cast<size_t>(o)], false), terms); !d.empty())
              cause = StrCat("inside the region, ", Describe(n, aten_), " is not what eager computes there: ", d);
      }
      const std::optional<Alone> own = task.engine ? Alone::Make(n, *task.engine) : std::nullopt;
      std::vector<Slot> result = own && cause.empty() ? own->Run(in, call.num_threads_) : std::vector<Slot>();
      for (size_t o = 0; o < result.size() && cause.empty(); ++o)
        if (const Difference d = Compare(Observe(out[o], false), Observe(result[o], false), terms); !d.empty())
          cause = StrCat("inside the region, ", Describe(n, task.engine), " gives another result than ATen on the same operands: ", d);
      return true;
    });
    if (ran && cause.empty()) {
      // Each node alone is right. A small difference may still flip a comparison that follows it: then the region computes
      // what its own nodes compute one after the other.
      RegionRun own(body);
      const bool chained = task.engine && own.Run(*task.engine, inputs, call.num_threads_,
                                                  [](const Node&, std::span<Slot* const>, std::vector<Slot>&) { return true; });
      const Observed found = Observe(*outputs[static_cast<size_t>(output)], false);
      if (chained && Compare(Observe(own.Result(output), false), found, operands).empty()) return {};
      cause = "each node of the region alone gives what ATen gives on the same operands: their combination is wrong";
    }
    if (!ran && cause.empty()) cause = "the nodes of the region cannot be run one by one";
  } else if (!inputs.empty() && node.pure() && !HasPackedOperand(node)) {
    const std::optional<Alone> alone = Alone::Make(node, *aten_);
    std::vector<Slot> again = alone ? alone->Run(inputs, call.num_threads_) : std::vector<Slot>();
    if (!again.empty()) {
      const Observed found = Observe(*outputs[static_cast<size_t>(output)], false);
      const Difference d = Compare(Observe(again[static_cast<size_t>(output)], false), found, operands);
      if (d.empty() && as_imported) return {};
      cause = StrCat("ATen gives ", d.empty() ? "the same" : "another", " result on the operands that the node got: ",
                     d.empty() ? StrCat("the rewrite by pass ", rewriter, " is wrong") : StrCat("the kernel is wrong: ", d));
    }
  } else if (!rewriter.empty()) {
    cause = StrCat("pass ", rewriter, " put it in the place of what eager computes");
  }
  const Value& wanted = *reference_->entry().values[static_cast<size_t>(target.value)].value;
  std::string text = StrCat("ge.debug.check=node: ", Describe(node, task.engine), " diverges from eager\n");
  text += StrCat("  output ", output, ": ", difference);
  if (wanted.producer()->name() != node.name() || !target.pass.empty())
    text += StrCat("\n  in eager: result ", wanted.index(), " of ", Describe(*wanted.producer(), nullptr),
                   target.pass.empty() ? "" : StrCat(", replaced by pass ", target.pass));
  if (!cause.empty()) text += StrCat("\n  ", cause);
  return Internal(std::move(text));
}

Status NodeCheck::Call::Finish(std::span<Slot> outputs) {
  Quietly quietly;
  if (!failed_.empty()) return Internal(StrCat("ge.debug.check=node: eager's kernels raise, the optimised graph does not: ", failed_));
  const Node& end = *check_.optimised_->module->entry().net_output();
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (check_.murky_[static_cast<size_t>(check_.reference_->entry().outputs[i])]) continue;
    const Observed expected = Observe(outputs_[i], false), found = Observe(outputs[i], false);
    Difference d = Compare(expected, found);
    if (d.empty() && expected.tensor.defined() && found.tensor.defined()) d = CompareStrides(expected.tensor, found.tensor);
    if (!d.empty())
      return Internal(StrCat("ge.debug.check=node: result ", i, " of the graph, output of ",
                             check_.Describe(*end.input(static_cast<int>(i))->producer(), nullptr), ", diverges from eager\n  ", d));
  }
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (const Difference d = Compare({copies_[i], {}}, {inputs_[i], {}}); !d.empty())
      return Internal(StrCat("ge.debug.check=node: input ", i, " of the graph holds another value after the call than in eager\n  ", d));
  return {};
}

}  // namespace ge::torch_backend
