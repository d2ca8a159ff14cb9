// If, While, PartitionedCall: executables that run other graphs of the same model.
#include "ge_core/base/str.h"
#include "npu_runtime/loaded_graph.h"

namespace ge {
namespace {

std::vector<Slot> LendAll(std::span<Slot* const> slots) {
  std::vector<Slot> out;
  out.reserve(slots.size());
  for (Slot* s : slots) out.push_back(s ? Lend(*s) : Slot());
  return out;
}

Status Store(std::vector<Slot>&& results, std::span<Slot* const> outputs, std::string_view graph) {
  if (results.size() != outputs.size())
    return Internal(StrCat("graph '", graph, "' returned ", results.size(), " values, ", outputs.size(), " expected"));
  for (size_t i = 0; i < results.size(); ++i) *outputs[i] = std::move(results[i]);
  return {};
}

// A bool of one element (tensor) or a sym. Tensors of other dtypes count as true where nonzero, as in Python.
Result<bool> Truth(const Slot& s) {
  if (s.kind == ValueType::Kind::kSym) return s.dtype == DType::kBool ? s.sym.b : s.dtype == DType::kF64 ? s.sym.f != 0 : s.sym.i != 0;
  if (!s.data) return FailedPrecondition("a branch condition has no readable memory");
  const size_t bytes = SizeOf(s.dtype);
  if (s.dtype == DType::kF32) return *static_cast<const float*>(s.data) != 0;
  if (s.dtype == DType::kF64) return *static_cast<const double*>(s.data) != 0;
  for (size_t i = 0; i < bytes; ++i)
    if (static_cast<const unsigned char*>(s.data)[i]) return true;
  return false;
}

class Branch final : public Executable {
 public:
  Branch(LoadedModel::Loaded* then_graph, LoadedModel::Loaded* else_graph) : then_(then_graph), else_(else_graph) {}
  Status Run(KernelContext& k) const override {
    GE_ASSIGN_OR_RETURN(const bool truth, Truth(*k.inputs[0]));
    std::vector<Slot> in = LendAll(k.inputs.subspan(1)), out;
    LoadedModel::Loaded* g = truth ? then_ : else_;
    GE_RETURN_IF_ERROR(g->Run(in, out, nullptr, *static_cast<const RunState*>(k.run_state)));
    return Store(std::move(out), k.outputs, g->plan->graph->name());
  }

 private:
  LoadedModel::Loaded *then_, *else_;
};

class Loop final : public Executable {
 public:
  Loop(LoadedModel::Loaded* cond, LoadedModel::Loaded* body, size_t carried) : cond_(cond), body_(body), carried_(carried) {}
  Status Run(KernelContext& k) const override {
    const RunState& state = *static_cast<const RunState*>(k.run_state);
    std::vector<Slot> values = LendAll(k.inputs);
    const auto lend = [&] {
      std::vector<Slot> in;
      for (const Slot& s : values) in.push_back(Lend(s));
      return in;
    };
    bool ran = false;
    for (;;) {
      std::vector<Slot> in = lend(), out;
      GE_RETURN_IF_ERROR(cond_->Run(in, out, nullptr, state));
      if (out.size() != 1) return Internal("a loop condition returns one value");
      GE_ASSIGN_OR_RETURN(const bool go_on, Truth(out[0]));
      if (!go_on) break;
      in = lend();
      std::vector<Slot> next;
      GE_RETURN_IF_ERROR(body_->Run(in, next, nullptr, state));
      if (next.size() != carried_) return Internal(StrCat("a loop body returned ", next.size(), " values, ", carried_, " expected"));
      for (size_t i = 0; i < carried_; ++i) values[i] = std::move(next[i]);
      ran = true;
    }
    values.resize(carried_);
    if (!ran)  // a loop's results are never its operands
      for (Slot& s : values) GE_RETURN_IF_ERROR(state.host.Clone(s));
    return Store(std::move(values), k.outputs, body_->plan->graph->name());
  }

 private:
  LoadedModel::Loaded *cond_, *body_;
  size_t carried_;
};

class Call final : public Executable {
 public:
  explicit Call(LoadedModel::Loaded* graph) : graph_(graph) {}
  Status Run(KernelContext& k) const override {
    std::vector<Slot> in = LendAll(k.inputs), out;
    GE_RETURN_IF_ERROR(graph_->Run(in, out, nullptr, *static_cast<const RunState*>(k.run_state)));
    return Store(std::move(out), k.outputs, graph_->plan->graph->name());
  }

 private:
  LoadedModel::Loaded* graph_;
};

}  // namespace

Result<std::unique_ptr<Executable>> LoadControlFlow(const Node& node, const GraphFinder& find) {
  const auto graph = [&](std::string_view attr) -> Result<LoadedModel::Loaded*> {
    const auto* ref = node.attrs().Get<Attr::GraphRef>(attr);
    LoadedModel::Loaded* g = ref ? find(ref->name) : nullptr;
    if (!g) return InvalidArgument(StrCat(node.op().name, " '", node.name(), "': attribute '", attr, "' names no graph of the model"));
    return g;
  };
  if (node.Is("If")) {
    GE_ASSIGN_OR_RETURN(auto* then_graph, graph("then_branch"));
    GE_ASSIGN_OR_RETURN(auto* else_graph, graph("else_branch"));
    return std::unique_ptr<Executable>(std::make_unique<Branch>(then_graph, else_graph));
  }
  if (node.Is("While")) {
    GE_ASSIGN_OR_RETURN(auto* cond, graph("cond"));
    GE_ASSIGN_OR_RETURN(auto* body, graph("body"));
    return std::unique_ptr<Executable>(std::make_unique<Loop>(cond, body, static_cast<size_t>(node.Int("num_carried"))));
  }
  if (node.Is("PartitionedCall")) {
    GE_ASSIGN_OR_RETURN(auto* f, graph("f"));
    return std::unique_ptr<Executable>(std::make_unique<Call>(f));
  }
  return Unimplemented(StrCat("the runtime does not run ", node.op().name));
}

}  // namespace ge
