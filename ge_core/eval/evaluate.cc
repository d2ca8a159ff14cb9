#include "ge_core/eval/evaluate.h"

#include <map>
#include <unordered_map>

#include "ge_core/base/str.h"
#include "ge_core/ir/reference.h"

namespace ge {
namespace {

std::string Describe(const Node& node) {
  return StrCat("node '", node.name(), "' (", node.op().name, node.loc().empty() ? "" : ", ", node.loc(), ") of graph '",
                node.graph().name(), "'");
}

Tensor ScalarI64(int64_t v) { return Tensor::Of<int64_t>(DType::kI64, {}, std::span<const int64_t>(&v, 1)); }

class Evaluator {
 public:
  Evaluator(const Module& module, const HostCpuEngine& engine, const EvalOptions& options)
      : module_(module), engine_(engine), options_(options), steps_left_(options.max_steps) {}

  Result<EvalResult> Run(const Graph& graph, std::span<const Tensor> inputs, int depth);

 private:
  using Values = std::unordered_map<const Value*, Tensor>;  // looked up only
  using Symbols = std::map<std::string, int64_t, std::less<>>;

  Status BindInput(const Graph& graph, const Node& data, int index, const Tensor& value, Symbols& symbols) const;
  Status RunNode(const Node& node, Values& values, const Symbols& symbols, EvalResult& result, int depth);
  Result<std::vector<Tensor>> RunControlFlow(const Node& node, std::vector<Tensor> inputs, int depth);
  Result<std::vector<Tensor>> RunScalar(const Node& node, std::span<const Tensor* const> inputs, const Symbols& symbols) const;
  Result<std::vector<Tensor>> Call(const Node& node, std::string_view attr, std::span<const Tensor> inputs, int depth);
  Result<bool> Condition(const Node& node, const Tensor& value) const;

  const Module& module_;
  const HostCpuEngine& engine_;
  const EvalOptions& options_;
  int64_t steps_left_;
};

// Checks the value against the input's type and learns the symbols that stand alone in it.
Status Evaluator::BindInput(const Graph& graph, const Node& data, int index, const Tensor& value, Symbols& symbols) const {
  const ValueType& type = data.output()->type();
  auto mismatch = [&] {
    return InvalidArgument(StrCat("input ", index, " of graph '", graph.name(), "' is ",
                                  value.defined() ? ToString(value.type()) : std::string("absent"), ", expected ", ToString(type)));
  };
  if (!value.defined()) return mismatch();
  auto learn = [&](const Dim& dim, int64_t actual) {
    if (dim.IsUnknown()) return true;
    if (dim.IsConst()) return dim.value() == actual;
    const std::vector<std::string> names = dim.Symbols();
    if (names.size() != 1 || !(dim == Dim::Symbol(names[0]))) return true;
    auto [it, fresh] = symbols.emplace(names[0], actual);
    return fresh || it->second == actual;
  };
  if (type.IsOpaque())
    return Unimplemented(StrCat("input ", index, " of graph '", graph.name(), "' is opaque: evaluation knows tensors and syms only"));
  if (value.dtype() != type.dtype()) return mismatch();
  if (type.IsSym()) {
    if (value.type().rank() != 0) return mismatch();
    return type.dtype() != DType::kI64 || learn(type.expr(), *value.data<int64_t>()) ? Status() : mismatch();
  }
  if (value.type().rank() != type.rank()) return mismatch();
  for (size_t d = 0; d < type.shape().size(); ++d)
    if (!learn(type.shape()[d], value.type().shape()[d].value())) return mismatch();
  return {};
}

Result<bool> Evaluator::Condition(const Node& node, const Tensor& value) const {
  if (value.dtype() != DType::kBool || value.num_elements() != 1)
    return InvalidArgument(StrCat("the condition of ", Describe(node), " is ", ToString(value.type()), ", expected one bool"));
  return *value.data<uint8_t>() != 0;
}

Result<std::vector<Tensor>> Evaluator::Call(const Node& node, std::string_view attr, std::span<const Tensor> inputs, int depth) {
  const Attr ref = node.attr(attr);
  const auto* name = ref.Get<Attr::GraphRef>();
  const Graph* graph = name ? module_.Find(name->name) : nullptr;
  if (!graph) return FailedPrecondition(StrCat("attribute '", attr, "' of ", Describe(node), " names no graph of the module"));
  if (depth >= options_.max_depth) return FailedPrecondition(StrCat(Describe(node), " nests subgraphs deeper than ", options_.max_depth));
  Result<EvalResult> result = Run(*graph, inputs, depth + 1);
  if (!result.ok()) return std::move(result).status().Annotate(StrCat("called by ", Describe(node)));
  if (!result->written_inputs.empty())
    return Unimplemented(StrCat("graph '", graph->name(), "', called by ", Describe(node), ", writes its inputs in place"));
  return std::move(result->outputs);
}

Result<std::vector<Tensor>> Evaluator::RunControlFlow(const Node& node, std::vector<Tensor> inputs, int depth) {
  if (node.Is("If")) {
    if (inputs.empty()) return InvalidArgument(StrCat(Describe(node), " has no condition"));
    GE_ASSIGN_OR_RETURN(const bool taken, Condition(node, inputs[0]));
    return Call(node, taken ? "then_branch" : "else_branch", std::span<const Tensor>(inputs).subspan(1), depth);
  }
  if (node.Is("While")) {
    const int64_t carried = node.Int("num_carried");
    if (carried < 0 || carried > static_cast<int64_t>(inputs.size()))
      return InvalidArgument(StrCat(Describe(node), " carries ", carried, " of ", inputs.size(), " inputs"));
    for (;;) {
      if (--steps_left_ < 0) return FailedPrecondition(StrCat(Describe(node), " ran over the limit of ", options_.max_steps, " steps"));
      GE_ASSIGN_OR_RETURN(const std::vector<Tensor> condition, Call(node, "cond", inputs, depth));
      if (condition.size() != 1)
        return InvalidArgument(StrCat("the condition of ", Describe(node), " has ", condition.size(), " results, expected 1"));
      GE_ASSIGN_OR_RETURN(const bool go_on, Condition(node, condition[0]));
      if (!go_on) break;
      GE_ASSIGN_OR_RETURN(std::vector<Tensor> next, Call(node, "body", inputs, depth));
      if (static_cast<int64_t>(next.size()) != carried)
        return InvalidArgument(StrCat("the body of ", Describe(node), " has ", next.size(), " results, expected ", carried));
      std::move(next.begin(), next.end(), inputs.begin());
    }
    inputs.resize(static_cast<size_t>(carried));
    return inputs;
  }
  // One callee: PartitionedCall's f, FusedRegion's body.
  return Call(node, node.op().FindAttr("f") ? "f" : "body", inputs, depth);
}

// Host scalars: sizes of tensors, expressions that the type records, and lists of them.
Result<std::vector<Tensor>> Evaluator::RunScalar(const Node& node, std::span<const Tensor* const> inputs, const Symbols& symbols) const {
  if (node.Is("SymSize") && inputs.size() == 1 && inputs[0]) {
    const Shape& shape = inputs[0]->type().shape();
    const int64_t rank = static_cast<int64_t>(shape.size()), dim = node.Int("dim");
    if (dim < -rank || dim >= rank) return InvalidArgument(StrCat("dim ", dim, " of ", Describe(node), " is out of range for rank ", rank));
    return std::vector<Tensor>{ScalarI64(shape[static_cast<size_t>(dim < 0 ? dim + rank : dim)].value())};
  }
  if (node.Is("SymToTensor")) {
    const Attr values = node.attr("values");
    const auto* list = values.Get<Attr::List>();
    std::vector<int64_t> out;
    for (const Attr& item : list ? *list : Attr::List{}) {
      const auto* ref = item.Get<Attr::InputRef>();
      if (const int64_t* v = item.Get<int64_t>()) {
        out.push_back(*v);
      } else if (ref && ref->index >= 0 && ref->index < static_cast<int>(inputs.size()) && inputs[static_cast<size_t>(ref->index)] &&
                 inputs[static_cast<size_t>(ref->index)]->dtype() == DType::kI64) {
        out.push_back(*inputs[static_cast<size_t>(ref->index)]->data<int64_t>());
      } else {
        return InvalidArgument(StrCat("attribute 'values' of ", Describe(node), " holds ", ToString(item),
                                      ", expected an integer or a reference to an integer input"));
      }
    }
    return std::vector<Tensor>{Tensor::Ints(out)};
  }
  if (node.num_outputs() == 1 && node.output()->type().IsSym() && node.output()->type().dtype() == DType::kI64) {
    auto value = node.output()->type().expr().Evaluate([&](std::string_view name) -> std::optional<int64_t> {
      auto it = symbols.find(name);
      return it == symbols.end() ? std::nullopt : std::optional(it->second);
    });
    if (value) return std::vector<Tensor>{ScalarI64(*value)};
  }
  return Unimplemented(StrCat("evaluation cannot compute ", Describe(node), ": its type records no expression over known symbols"));
}

Status Evaluator::RunNode(const Node& node, Values& values, const Symbols& symbols, EvalResult& result, int depth) {
  if (--steps_left_ < 0) return FailedPrecondition(StrCat("evaluation ran over the limit of ", options_.max_steps, " steps"));
  if (node.num_outputs() == 0 && node.op().Has(kSkeleton)) return {};
  if (node.op().Has(kSkeleton)) {
    const Tensor* value = node.const_value();
    if (!value || !value->defined())
      return FailedPrecondition(StrCat(Describe(node), " is a constant without data: it was elided from the text"));
    values.emplace(node.output(), *value);
    return {};
  }
  std::vector<const Tensor*> inputs;
  for (const Value* in : node.inputs()) inputs.push_back(in ? &values.at(in) : nullptr);

  std::vector<Tensor> outputs;
  if (node.op().Has(kControlFlow) || node.Is("FusedRegion")) {
    std::vector<Tensor> arguments;
    for (const Tensor* t : inputs) arguments.push_back(t ? *t : Tensor());
    GE_ASSIGN_OR_RETURN(outputs, RunControlFlow(node, std::move(arguments), depth));
  } else if (node.op().Has(kHostScalar)) {
    GE_ASSIGN_OR_RETURN(outputs, RunScalar(node, inputs, symbols));
  } else if (node.op().Has(kMutates) && inputs.size() == 2 && inputs[1] && SameLogicalType(inputs[0]->type(), inputs[1]->type())) {
    outputs.push_back(*inputs[1]);  // a whole-tensor write needs no kernel
  } else {
    Result<HostCpuEngine::Evaluation> ran = engine_.Run(node, inputs);
    if (!ran.ok()) return std::move(ran).status().Annotate(StrCat("while evaluating ", Describe(node)));
    outputs = std::move(ran->outputs);
  }
  if (static_cast<int>(outputs.size()) != node.num_outputs())
    return Internal(StrCat(Describe(node), " gave ", outputs.size(), " results, expected ", node.num_outputs()));
  // A written input: later readers use the result of the writing node (an invariant of the IR), so the old value may stay.
  if (WritesOperand0(node) && node.num_inputs() > 0 && node.input(0)) {
    if (!node.input(0)->producer()->Is("Data"))
      return Unimplemented(StrCat(Describe(node), " writes a value that is no input of the graph"));
    result.written_inputs[static_cast<int>(node.input(0)->producer()->Int("index"))] = outputs[0];
  }
  for (int o = 0; o < node.num_outputs(); ++o) values.insert_or_assign(node.output(o), std::move(outputs[static_cast<size_t>(o)]));
  return {};
}

Result<EvalResult> Evaluator::Run(const Graph& graph, std::span<const Tensor> inputs, int depth) {
  if (inputs.size() != graph.inputs().size())
    return InvalidArgument(StrCat("graph '", graph.name(), "' takes ", graph.inputs().size(), " inputs, got ", inputs.size()));
  if (!graph.net_output()) return FailedPrecondition(StrCat("graph '", graph.name(), "' has no NetOutput"));
  Values values;
  Symbols symbols;
  EvalResult result;
  for (size_t i = 0; i < inputs.size(); ++i) {
    GE_RETURN_IF_ERROR(BindInput(graph, *graph.inputs()[i], static_cast<int>(i), inputs[i], symbols));
    values.emplace(graph.inputs()[i]->output(), inputs[i]);
  }
  for (const Node* node : graph.nodes())
    if (!node->Is("Data")) GE_RETURN_IF_ERROR(RunNode(*node, values, symbols, result, depth));
  for (const Value* v : graph.net_output()->inputs()) result.outputs.push_back(values.at(v));
  return result;
}

}  // namespace

Result<EvalResult> Evaluate(const Module& module, std::span<const Tensor> inputs, const HostCpuEngine& engine, const EvalOptions& options) {
  return Evaluator(module, engine, options).Run(module.entry(), inputs, 0);
}

}  // namespace ge
