#include "ge_core/passes/subgraph/inline.h"

#include <map>
#include <unordered_map>

#include "ge_core/base/str.h"
#include "ge_core/ir/signature.h"

namespace ge {
namespace {

// Control edges from and to all copies must not multiply.
constexpr size_t kMaxEdges = 1024;

// What the symbols of the subgraph are in the graph of the call.
class Symbols {
 public:
  // `parameter` and `argument` are the same extent. False if that contradicts what is known.
  bool Bind(const Dim& parameter, const Dim& argument) {
    if (!parameter.IsSymbolic()) return true;
    const std::vector<std::string> names = parameter.Symbols();
    if (parameter == argument) {
      for (const std::string& name : names)
        if (!Set(name, Dim::Symbol(name))) return false;
      return true;
    }
    // An expression over several symbols does not tell what each of them is; others may.
    return names.size() != 1 || !(parameter == Dim::Symbol(names[0])) || Set(names[0], argument);
  }
  // The extent in the graph of the call; nullopt where a symbol in it is not known there.
  std::optional<Dim> Map(const Dim& dim) const {
    if (!dim.IsSymbolic()) return dim;
    const std::vector<std::string> names = dim.Symbols();
    bool same = true;
    for (const std::string& name : names) {
      auto it = map_.find(name);
      if (it == map_.end()) return std::nullopt;
      same = same && it->second == Dim::Symbol(name);
    }
    if (same) return dim;
    if (names.size() == 1 && dim == Dim::Symbol(names[0])) return map_.find(names[0])->second;
    const auto value = dim.Evaluate([&](std::string_view name) -> std::optional<int64_t> {
      const Dim& d = map_.find(name)->second;
      return d.IsConst() ? std::optional(d.value()) : std::nullopt;
    });
    return value ? std::optional(Dim(*value)) : std::nullopt;
  }
  std::optional<ValueType> Map(const ValueType& type) const {
    if (type.IsOpaque()) return type;
    std::vector<Dim> dims = type.IsSym() ? std::vector<Dim>{type.expr()} : type.shape(), strides = type.layout.strides;
    for (std::vector<Dim>* list : {&dims, &strides})
      for (Dim& d : *list) {
        std::optional<Dim> mapped = Map(d);
        if (!mapped) return std::nullopt;
        d = *std::move(mapped);
      }
    ValueType out = type.IsSym() ? ValueType::Sym(type.dtype(), dims[0]) : ValueType::Tensor(type.dtype(), std::move(dims));
    out.format = type.format, out.layout = type.layout, out.placement = type.placement;
    out.layout.strides = std::move(strides);
    return out;
  }

 private:
  bool Set(const std::string& name, const Dim& value) {
    auto [it, fresh] = map_.emplace(name, value);
    return fresh || it->second == value;
  }
  std::map<std::string, Dim, std::less<>> map_;
};

const Dim& Better(const Dim& a, const Dim& b) { return b.IsConst() || (b.IsSymbolic() && a.IsUnknown()) ? b : a; }

// `type` with every extent that `other`, a type of the same value, knows better.
ValueType Refined(const ValueType& type, const ValueType& other) {
  if (type.IsOpaque()) return type;
  ValueType out;
  if (type.IsSym()) {
    out = ValueType::Sym(type.dtype(), Better(type.expr(), other.expr()));
  } else {
    Shape shape;
    for (size_t d = 0; d < type.shape().size(); ++d) shape.push_back(Better(type.shape()[d], other.shape()[d]));
    out = ValueType::Tensor(type.dtype(), std::move(shape));
  }
  out.format = type.format, out.layout = type.layout, out.placement = type.placement;
  return out;
}

bool IsReturned(const Value& v) {
  for (const Use& use : v.uses())
    if (use.user->Is("NetOutput")) return true;
  return false;
}

// Everything that is decided before the graph is touched.
struct Plan {
  std::unordered_map<const Value*, ValueType> types;  // of the copies, by value of the subgraph; looked up only
  std::string refusal;
};

Plan MakePlan(const Node& call, const Graph& callee, int first_argument) {
  Plan plan;
  const auto refuse = [&](std::string why) {
    plan.refusal = std::move(why);
    return plan;
  };
  const auto in_callee = [&](const Node& n) { return StrCat("'", n.name(), "' of @", callee.name()); };
  const size_t first = static_cast<size_t>(first_argument), given = call.inputs().size() - std::min(first, call.inputs().size());
  if (!callee.net_output() || given != callee.inputs().size() || call.num_outputs() != callee.net_output()->num_inputs())
    return refuse(StrCat("its operands and results do not fit @", callee.name()));
  if ((call.control_inputs().size() + call.control_outputs().size()) * callee.size() > kMaxEdges)
    return refuse("it orders many nodes against many others");

  Symbols symbols;
  std::unordered_map<const Value*, const Value*> arguments;  // looked up only
  for (size_t i = 0; i < given; ++i) {
    const Value* parameter = callee.inputs()[i]->output();
    const Value* argument = call.inputs()[first + i];
    if (!argument) return refuse(StrCat("argument ", i, " is absent"));
    const ValueType &p = parameter->type(), &a = argument->type();
    if (!CompatibleType(p, a)) return refuse(StrCat("argument ", i, " is ", ToString(a), ", the parameter ", ToString(p)));
    if (!p.IsOpaque() && p.dtype() != a.dtype())
      return refuse(StrCat("argument ", i, " is ", ToString(a), ", the parameter ", ToString(p)));
    arguments.emplace(parameter, argument);
    plan.types.emplace(parameter, a);
    if (p.IsOpaque()) continue;
    bool agree = true;
    if (p.IsSym()) agree = symbols.Bind(p.expr(), a.expr());
    for (size_t d = 0; p.IsTensor() && d < p.shape().size(); ++d) agree = agree && symbols.Bind(p.shape()[d], a.shape()[d]);
    if (!agree) return refuse(StrCat("argument ", i, " gives a size of @", callee.name(), " a second meaning"));
  }
  for (const Node* data : callee.inputs()) {
    const ValueType &p = data->output()->type(), &a = plan.types.at(data->output());
    if (p.layout.kind != StorageLayout::Kind::kStrided && p.layout.kind != StorageLayout::Kind::kPacked) continue;
    const std::optional<ValueType> mapped = symbols.Map(p);
    if (!mapped || !(mapped->layout == a.layout))
      return refuse(StrCat("an argument lies in memory as ", ToString(a), " says, the parameter as ", ToString(p)));
  }
  for (const Node* n : callee.nodes()) {
    if (n->Is("Data") || n->Is("NetOutput")) continue;
    if (n->op().Has(kMutates)) return refuse(StrCat(in_callee(*n), " writes in place"));
    std::vector<const ValueType*> in;
    for (const Value* v : n->inputs()) in.push_back(v ? &plan.types.at(v) : nullptr);
    for (int o = 0; o < n->num_outputs(); ++o) {
      std::optional<ValueType> type = symbols.Map(n->output(o)->type());
      if (!type) return refuse(StrCat(in_callee(*n), " has a size that is known there only: ", ToString(n->output(o)->type())));
      plan.types.emplace(n->output(o), *std::move(type));
    }
    if (!n->op().infer) continue;
    const InferContext context{n->op(), in, n->attrs(), [&](int i) -> const Tensor* {
                                 const Value* v = i >= 0 && i < n->num_inputs() ? n->input(i) : nullptr;
                                 if (!v) return nullptr;
                                 auto it = arguments.find(v);
                                 return (it == arguments.end() ? v : it->second)->producer()->const_value();
                               }};
    const auto inferred = n->op().infer(context);
    if (!inferred.ok()) return refuse(StrCat(in_callee(*n), " does not take the arguments: ", inferred.message()));
    if (static_cast<int>(inferred->size()) != n->num_outputs()) return refuse(StrCat(in_callee(*n), " would have other results"));
    for (int o = 0; o < n->num_outputs(); ++o) {
      ValueType& type = plan.types.at(n->output(o));
      const ValueType& found = (*inferred)[static_cast<size_t>(o)];
      if (!CompatibleType(found, type))
        return refuse(StrCat(in_callee(*n), " would give ", ToString(found), " instead of ", ToString(type)));
    }
  }
  for (int o = 0; o < call.num_outputs(); ++o) {
    const ValueType &want = call.output(o)->type(), &have = plan.types.at(callee.net_output()->input(o));
    if (!CompatibleType(want, have) || (!want.IsOpaque() && want.dtype() != have.dtype()))
      return refuse(StrCat("result ", o, " is ", ToString(want), ", @", callee.name(), " gives ", ToString(have)));
    if (!(want.layout == have.layout) || want.placement != have.placement)
      return refuse(StrCat("result ", o, " lies in memory as ", ToString(want), " says, that of @", callee.name(), " as ", ToString(have)));
  }
  return plan;
}

}  // namespace

Graph* Callee(const Node& node, std::string_view attr) {
  const auto* ref = node.attrs().Get<Attr::GraphRef>(attr);
  return ref ? node.graph().module().Find(ref->name) : nullptr;
}

std::string WhyNotInline(const Node& call, const Graph& callee, int first_argument) {
  return MakePlan(call, callee, first_argument).refusal;
}

Status Inline(Node& call, const Graph& callee, int first_argument) {
  Graph& graph = call.graph();
  const Plan plan = MakePlan(call, callee, first_argument);
  if (!plan.refusal.empty()) return FailedPrecondition(StrCat("node '", call.name(), "' cannot be inlined: ", plan.refusal));
  std::unordered_map<const Value*, Value*> values;  // looked up only
  std::unordered_map<const Node*, Node*> copies;
  std::vector<Node*> created;
  for (size_t i = 0; i < callee.inputs().size(); ++i)
    values.emplace(callee.inputs()[i]->output(), call.input(first_argument + static_cast<int>(i)));
  for (const Node* n : callee.nodes()) {
    if (n->Is("Data") || n->Is("NetOutput")) continue;
    std::vector<Value*> inputs;
    for (const Value* v : n->inputs()) inputs.push_back(v ? values.at(v) : nullptr);
    std::vector<ValueType> types;
    for (int o = 0; o < n->num_outputs(); ++o) types.push_back(plan.types.at(n->output(o)));
    GE_ASSIGN_OR_RETURN(Node* const copy, graph.Create({.op = n->op().name,
                                                        .inputs = std::move(inputs),
                                                        .attrs = n->attrs(),
                                                        .name = n->name(),
                                                        .loc = n->loc().empty() ? call.loc() : n->loc(),
                                                        .types = std::move(types),
                                                        .after = call.control_inputs()},
                                                       &call));
    for (const Node* c : n->control_inputs())
      if (auto it = copies.find(c); it != copies.end()) GE_RETURN_IF_ERROR(graph.AddControlEdge(it->second, copy));
    for (int o = 0; o < n->num_outputs(); ++o) values.emplace(n->output(o), copy->output(o));
    copies.emplace(n, copy);
    created.push_back(copy);
  }
  const std::vector<Node*> before = call.control_inputs(), after = call.control_outputs();
  for (Node* b : after) {
    graph.RemoveControlEdge(&call, b);
    for (Node* c : created) GE_RETURN_IF_ERROR(graph.AddControlEdge(c, b));
    if (created.empty())
      for (Node* a : before) GE_RETURN_IF_ERROR(graph.AddControlEdge(a, b));
  }
  for (int o = 0; o < call.num_outputs(); ++o) GE_RETURN_IF_ERROR(PassOn(*call.output(o), *values.at(callee.net_output()->input(o)), call));
  return graph.Erase(&call);
}

Status PassOn(Value& from, Value& to, Node& before) {
  if (from.unused()) return {};
  Graph& graph = before.graph();
  // What a graph takes is not for its calls to say.
  const ValueType type = to.producer()->op().Has(kSkeleton) ? to.type() : Refined(to.type(), from.type());
  if (!(type == to.type())) graph.SetType(&to, type);
  if (!SameLogicalType(from.type(), type)) graph.SetType(&from, type);
  Value* source = &to;
  if (type.IsTensor() && IsReturned(from) && (IsReturned(to) || to.producer()->op().Has(kSkeleton))) {
    GE_ASSIGN_OR_RETURN(
        Node* const view,
        graph.Create(
            {.op = "Identity", .inputs = {&to}, .attrs = {}, .name = before.name(), .loc = before.loc(), .types = {type}, .after = {}},
            &before));
    source = view->output();
  }
  return graph.ReplaceAllUses(&from, source);
}

}  // namespace ge
