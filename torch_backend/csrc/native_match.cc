#include "torch_backend/csrc/native_match.h"

#include "ge_core/base/str.h"

namespace ge::torch_backend {
namespace {

bool HasRef(const Attr& a) {
  if (a.Is<Attr::InputRef>()) return true;
  if (auto* list = a.Get<Attr::List>())
    for (const Attr& item : *list)
      if (HasRef(item)) return true;
  return false;
}

// Equal as arguments: numbers compare by value where the schema wants a float; on the CPU, a factory's explicit default
// (device cpu, strided layout, no pinning) is the same call as leaving it out.
bool SameArgument(const c10::Argument& arg, const Attr& given, const Attr& literal) {
  if (given == literal) return true;
  const std::string& name = arg.name();
  if (literal.IsNone()) {
    if (name == "device") return given == Attr("cpu");
    if (name == "layout") return given == Attr("strided");
    if (name == "pin_memory") return given == Attr(false);
  }
  if (given.IsNone() && name == "pin_memory") return literal == Attr(false);
  c10::TypePtr type = arg.type();
  while (type->kind() == c10::TypeKind::OptionalType) type = type->castRaw<c10::OptionalType>()->getElementType();
  if (type->kind() != c10::TypeKind::FloatType) return false;
  auto a = given.AsDouble(), b = literal.AsDouble();
  return a && b && *a == *b;
}

class RowMatcher {
 public:
  RowMatcher(const AtenInvocation& call, const AtenMapping& row, Graph& graph, IntConstants& constants)
      : call_(call), row_(row), graph_(graph), constants_(constants) {}

  // An empty reason: matched, `node` is set.
  Status Match(Node*& node, std::vector<int>& outputs) {
    if (row_.execute_only) return Unimplemented("executes only");
    if (row_.items.size() > call_.args.size()) return Unimplemented("the row has more items than the schema has arguments");
    inputs_.resize(row_.op->num_inputs);
    for (size_t i = 0; i < call_.args.size(); ++i) {
      const c10::Argument& arg = call_.schema.arguments()[i];
      if (i < row_.items.size()) {
        Status s = Item(arg, row_.items[i], call_.args[i]);
        if (!s.ok()) return std::move(s).Annotate(StrCat("argument ", arg.name()));
      } else if (!IsDefault(arg, call_.args[i])) {
        return Unimplemented(StrCat("argument ", arg.name(), " = ", ToString(call_.args[i])));
      }
    }
    for (const auto& [name, value] : row_.conditions) attrs_.Set(name, value);
    outputs = row_.results;
    if (outputs.empty())
      for (size_t i = 0; i < call_.types.size(); ++i) outputs.push_back(static_cast<int>(i));
    std::vector<ValueType> types;
    for (size_t r = 0; r < outputs.size(); ++r) {
      if (r >= call_.types.size()) return Unimplemented("the row has more results than the call");
      if (outputs[r] < 0) {
        if (call_.result_used[r]) return Unimplemented(StrCat("result ", r, " is used"));
        continue;
      }
      const size_t port = static_cast<size_t>(outputs[r]);
      if (types.size() <= port) types.resize(port + 1);
      types[port] = call_.types[r];
    }
    if (row_.results.empty() && !row_.op->outputs[row_.op->num_outputs ? row_.op->num_outputs - 1u : 0u].variadic &&
        types.size() != row_.op->num_outputs)
      return Unimplemented(StrCat("the operator has ", int{row_.op->num_outputs}, " results, the call ", types.size()));
    for (Value* v : variadic_) inputs_.push_back(v);
    if (!row_.results.empty()) GE_RETURN_IF_ERROR(InferTheRest(types));
    Result<Node*> made =
        graph_.Create({.op = row_.op->name, .inputs = inputs_, .attrs = attrs_, .name = call_.name, .loc = call_.loc, .types = types});
    if (!made.ok()) return std::move(made).status();
    node = *made;
    return {};
  }

 private:
  // A call with fewer results than the operator: the others are of the types that inference gives them.
  Status InferTheRest(std::vector<ValueType>& types) {
    const OpDef& op = *row_.op;
    if (types.size() >= op.num_outputs || op.outputs[op.num_outputs - 1u].variadic || !op.infer) return {};
    std::vector<const ValueType*> in;
    for (const Value* v : inputs_) in.push_back(v ? &v->type() : nullptr);
    GE_ASSIGN_OR_RETURN(const std::vector<ValueType> inferred,
                        op.infer({op, in, attrs_, [&](int i) { return inputs_[static_cast<size_t>(i)]->producer()->const_value(); }}));
    for (size_t i = types.size(); i < inferred.size(); ++i) types.push_back(inferred[i]);
    return {};
  }

  bool IsDefault(const c10::Argument& arg, const Attr& given) const {
    if (!arg.default_value()) return false;
    const c10::IValue& d = *arg.default_value();
    if (d.isNone()) return SameArgument(arg, given, Attr());
    if (d.isBool()) return SameArgument(arg, given, Attr(d.toBool()));
    if (d.isInt()) return SameArgument(arg, given, Attr(d.toInt()));
    if (d.isDouble()) return SameArgument(arg, given, Attr(d.toDouble()));
    if (d.isString()) return SameArgument(arg, given, Attr(d.toStringRef()));
    if (d.isIntList()) return SameArgument(arg, given, Attr::Ints(d.toIntVector()));
    return false;
  }

  Value* TensorRef(const Attr& a) const {
    auto* ref = a.Get<Attr::InputRef>();
    Value* v = ref ? call_.refs[static_cast<size_t>(ref->index)] : nullptr;
    return v && v->type().IsTensor() ? v : nullptr;
  }

  Status Item(const c10::Argument& arg, const AtenItem& item, const Attr& given) {
    switch (item.kind) {
      case AtenItem::Kind::kLiteral:
        return SameArgument(arg, given, item.literal)
                   ? Status()
                   : Unimplemented(StrCat("is ", ToString(given), ", the operator stands for ", ToString(item.literal)));
      case AtenItem::Kind::kAttr: return SetAttr(arg, item.attr, given);
      case AtenItem::Kind::kPort: {
        const Port& port = row_.op->inputs[static_cast<size_t>(item.port)];
        if (port.variadic) {
          const Attr::List* list = given.Get<Attr::List>();
          if (!list) return Unimplemented("is no list of tensors");
          inputs_.resize(static_cast<size_t>(item.port));
          for (const Attr& a : *list) {
            Value* v = TensorRef(a);
            if (!v && !(a.IsNone() && port.optional)) return Unimplemented("has an item that is no tensor");
            variadic_.push_back(v);
          }
          return {};
        }
        if (given.IsNone()) return port.optional ? Status() : Unimplemented("is None");
        Value* v = TensorRef(given);
        if (!v) return Unimplemented(StrCat(ToString(given), " is no tensor"));
        inputs_[static_cast<size_t>(item.port)] = v;
        return {};
      }
      case AtenItem::Kind::kIntsPort:
      case AtenItem::Kind::kIntPort: {
        const bool single = item.kind == AtenItem::Kind::kIntPort;
        if (given.IsNone()) return row_.op->inputs[static_cast<size_t>(item.port)].optional ? Status() : Unimplemented("is None");
        Attr::List list;
        if (auto* l = given.Get<Attr::List>()) {
          if (single) return Unimplemented("is a list");
          list = *l;
        } else {
          list.assign(single ? 1 : std::max(1, arg.N().value_or(1)), given);
        }
        Value* v = nullptr;
        GE_RETURN_IF_ERROR(IntOperand(list, v));
        inputs_[static_cast<size_t>(item.port)] = v;
        return {};
      }
    }
    return Internal("unknown item kind");
  }

  Status IntOperand(const Attr::List& list, Value*& out) {
    if (auto ints = Attr(list).AsInts()) {
      out = constants_.Get(*ints);
      return {};
    }
    std::vector<Value*> syms;
    Attr::List values;
    for (const Attr& a : list) {
      if (auto* i = a.Get<int64_t>()) {
        values.push_back(*i);
        continue;
      }
      auto* ref = a.Get<Attr::InputRef>();
      Value* v = ref ? call_.refs[static_cast<size_t>(ref->index)] : nullptr;
      if (!v || !v->type().IsSym() || v->type().dtype() != DType::kI64) return Unimplemented("has an item that is no integer");
      if (v->type().expr().IsConst()) {
        values.push_back(v->type().expr().value());
        continue;
      }
      values.push_back(Attr::InputRef{static_cast<int>(syms.size())});
      syms.push_back(v);
    }
    if (syms.empty()) {
      out = constants_.Get(*Attr(values).AsInts());
      return {};
    }
    GE_ASSIGN_OR_RETURN(Node * node,
                        graph_.Create({.op = "SymToTensor", .inputs = syms, .attrs = {{"values", Attr(values)}}, .loc = call_.loc}));
    out = node->output();
    return {};
  }

  Status SetAttr(const c10::Argument& arg, std::string_view name, const Attr& given) {
    if (HasRef(given)) return Unimplemented("is known at run time only");
    const AttrDef* def = row_.op->FindAttr(name);
    if (given.IsNone()) return def->required ? Unimplemented("is None") : Status();
    Attr value = given;
    if (def->kind == AttrKind::kFloat)
      if (auto d = given.AsDouble()) value = *d;
    if (def->kind == AttrKind::kInts)
      if (auto* i = given.Get<int64_t>())
        value = Attr::Ints(std::vector<int64_t>(static_cast<size_t>(std::max(1, arg.N().value_or(1))), *i));
    if (def->kind == AttrKind::kBool)
      if (auto* i = given.Get<int64_t>()) value = *i != 0;
    attrs_.Set(name, std::move(value));
    return {};
  }

  const AtenInvocation& call_;
  const AtenMapping& row_;
  Graph& graph_;
  IntConstants& constants_;
  std::vector<Value*> inputs_, variadic_;
  AttrMap attrs_;
};

}  // namespace

Value* IntConstants::Get(const std::vector<int64_t>& values) {
  Value*& v = made_[values];
  if (!v) v = graph_.CreateConst(Tensor::Ints(values))->output();
  return v;
}

NativeMatch MatchNative(const AtenInvocation& call, std::span<const AtenMapping* const> rows, Graph& graph, IntConstants& constants) {
  NativeMatch match;
  for (const AtenMapping* row : rows) {
    Status s = RowMatcher(call, *row, graph, constants).Match(match.node, match.outputs);
    if (s.ok()) return match;
    match.outputs.clear();
    if (s.code() != Code::kUnimplemented) match.mismatch = s.message();
    match.reasons += StrCat(match.reasons.empty() ? "" : "; ", row->op->name, ": ", s.message());
  }
  return match;
}

}  // namespace ge::torch_backend
