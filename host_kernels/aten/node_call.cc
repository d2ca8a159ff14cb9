// Which ATen call a node stands for.
#include "ge_core/base/str.h"
#include "ge_core/ir/reference.h"
#include "host_kernels/aten/aten_engine.h"

namespace ge::aten {
namespace {

// The reason why this row cannot stand for the node; empty if it can.
std::string Misfit(const AtenMapping& row, const Node& node) {
  for (const auto& [name, value] : row.conditions)
    if (!(node.attr(name) == value)) return StrCat("attribute ", name, " is ", ToString(node.attr(name)));
  std::vector<bool> named(static_cast<size_t>(node.op().num_inputs));
  for (const AtenItem& item : row.items)
    if (item.port >= 0) named[static_cast<size_t>(item.port)] = true;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const int port = std::min<int>(i, node.op().num_inputs - 1);
    if (node.input(i) && !named[static_cast<size_t>(port)])
      return StrCat("operand ", node.op().inputs[static_cast<size_t>(port)].name, " is not an argument");
  }
  for (const auto& [name, value] : node.attrs()) {
    if (name.starts_with('_')) continue;
    bool used = false;
    for (const AtenItem& item : row.items) used |= item.attr == name;
    for (const auto& [condition, unused] : row.conditions) used |= condition == name;
    if (!used) return StrCat("attribute ", name, " is not an argument");
  }
  return {};
}

// Operators that put a tensor into a view of their first, and the operator that gives the view: of the same arguments without
// the second. PyTorch has no in-place form of them.
struct ScatterIntoView {
  std::string_view scatter, view;
};
constexpr ScatterIntoView kScattersIntoViews[] = {
    {"aten::select_scatter", "aten::select.int"},
    {"aten::slice_scatter", "aten::slice.Tensor"},
    {"aten::diagonal_scatter", "aten::diagonal"},
};

// "aten::index_add" -> "aten::index_add_", "aten::scatter.src" -> "aten::scatter_.src".
std::string InPlaceName(std::string_view overload) {
  const size_t name = overload.find("::"), dot = overload.find('.', name == std::string_view::npos ? 0 : name);
  const std::string_view variant = dot == std::string_view::npos ? std::string_view() : overload.substr(dot);
  return StrCat(overload.substr(0, dot), "_", variant);
}

// The call of a reference node: `overload` on `args`, but in the memory of its first argument.
Result<PreparedCall> MakeInPlace(std::string_view overload, Attr::List args, int* copy_from) {
  const auto is_operand = [&](size_t i, int input) {
    const auto* ref = i < args.size() ? args[i].Get<Attr::InputRef>() : nullptr;
    return ref && (input < 0 || ref->index == input);
  };
  if (!is_operand(0, 0)) return Unimplemented(StrCat(overload, " does not take the written operand first"));
  for (const ScatterIntoView& row : kScattersIntoViews) {
    if (row.scatter != overload) continue;
    if (!is_operand(1, -1)) return Unimplemented(StrCat(overload, ": the source is no tensor"));
    *copy_from = args[1].Get<Attr::InputRef>()->index;
    args.erase(args.begin() + 1);
    return PreparedCall::Make(row.view, args);
  }
  GE_ASSIGN_OR_RETURN(PreparedCall call, PreparedCall::Make(InPlaceName(overload), args));
  if (!call.writes_first_argument()) return Unimplemented(StrCat(InPlaceName(overload), " does not write elements of its first argument"));
  return call;
}

Result<NodeCall> FromRow(const AtenMapping& row, const Node& node) {
  Attr::List args;
  struct Binding {
    AtenItem::Kind kind;
    int arg, input;
    bool transposed;
  };
  std::vector<Binding> bindings;
  for (const AtenItem& item : row.items) {
    const int arg = static_cast<int>(args.size());
    switch (item.kind) {
      case AtenItem::Kind::kLiteral: args.push_back(item.literal); break;
      case AtenItem::Kind::kAttr: args.push_back(node.attr(item.attr)); break;
      case AtenItem::Kind::kPort: {
        const Port& port = node.op().inputs[static_cast<size_t>(item.port)];
        if (port.variadic) {
          Attr::List list;
          for (int i = item.port; i < node.num_inputs(); ++i) list.push_back(node.input(i) ? Attr(Attr::InputRef{i}) : Attr());
          args.push_back(std::move(list));
        } else if (item.port >= node.num_inputs() || !node.input(item.port)) {
          args.emplace_back();
        } else if (item.transposed) {
          args.emplace_back();
          bindings.push_back({item.kind, arg, item.port, true});
        } else {
          args.push_back(Attr::InputRef{item.port});
        }
        break;
      }
      case AtenItem::Kind::kIntsPort:
      case AtenItem::Kind::kIntPort: {
        const bool list = item.kind == AtenItem::Kind::kIntsPort;
        const Value* v = item.port < node.num_inputs() ? node.input(item.port) : nullptr;
        if (!v) {
          args.emplace_back();
          break;
        }
        const Tensor* constant = v->producer()->const_value();
        if (!constant) {
          args.push_back(list ? Attr(Attr::List{}) : Attr(0));  // patched at each run
          bindings.push_back({item.kind, arg, item.port, false});
          break;
        }
        if (constant->dtype() != DType::kI64)
          return Unimplemented(StrCat("operand ", node.op().inputs[static_cast<size_t>(item.port)].name, " is not i64"));
        std::vector<int64_t> values(constant->data<int64_t>(), constant->data<int64_t>() + constant->num_elements());
        if (!list && values.size() != 1) return InvalidArgument("a single integer was expected");
        args.push_back(list ? Attr::Ints(values) : Attr(values[0]));
        break;
      }
    }
  }
  int copy_from = -1;
  GE_ASSIGN_OR_RETURN(PreparedCall call, IsReference(node) ? MakeInPlace(row.overload, args, &copy_from)
                                                           : PreparedCall::Make(row.overload, args));
  for (Binding& b : bindings) {
    if (copy_from >= 0 && b.arg > 1) --b.arg;  // the view takes no source
    if (b.transposed)
      call.BindTransposed(b.arg, b.input);
    else if (b.kind == AtenItem::Kind::kIntsPort)
      call.BindIntList(b.arg, b.input);
    else
      call.BindInt(b.arg, b.input);
  }
  std::vector<int> outputs = row.results;
  if (outputs.empty())
    for (int i = 0; i < node.num_outputs(); ++i) outputs.push_back(i);
  return NodeCall{std::move(call), std::move(outputs), copy_from};
}

// Overloads that PyTorch's Python bindings call with a number in place of a tensor. For the others a form with a Scalar
// argument is preferred: a Python dispatch mode would hand the number on and the call would be refused.
bool TakesNumbers(std::string_view overload) {
  for (std::string_view name : {"aten::add.Tensor", "aten::sub.Tensor", "aten::mul.Tensor", "aten::div.Tensor", "aten::div.Tensor_mode"})
    if (overload == name) return true;
  return false;
}

}  // namespace

Result<NodeCall> MakeNodeCall(const Node& node, const AtenMappings& mappings) {
  if (node.Is("AtenCall")) {
    const Attr args = node.attr("args");
    const Attr::List* list = args.Get<Attr::List>();
    if (!list) return InvalidArgument(StrCat("AtenCall '", node.name(), "': 'args' must be a list"));
    int copy_from = -1;
    GE_ASSIGN_OR_RETURN(PreparedCall call, IsReference(node) ? MakeInPlace(node.Str("op"), *list, &copy_from)
                                                             : PreparedCall::Make(node.Str("op"), *list));
    std::vector<int> outputs;
    for (int i = 0; i < node.num_outputs(); ++i) outputs.push_back(i);
    return NodeCall{std::move(call), std::move(outputs), copy_from};
  }
  std::string reasons;
  std::optional<NodeCall> second_choice;
  for (const AtenMapping* row : mappings.ForOp(node.op().name)) {
    std::string reason = Misfit(*row, node);
    if (reason.empty()) {
      Result<NodeCall> call = FromRow(*row, node);
      if (call.ok()) {
        if (!call->call.has_number_as_tensor() || TakesNumbers(row->overload)) return call;
        if (!second_choice) second_choice = *std::move(call);
        continue;
      }
      reason = call.message();
    }
    reasons += StrCat(reasons.empty() ? "" : "; ", row->overload, ": ", reason);
  }
  if (second_choice) return *std::move(second_choice);
  return Unimplemented(reasons.empty() ? StrCat(node.op().name, " has no ATen form") : std::move(reasons));
}

}  // namespace ge::aten
