// Which ATen call a node stands for.
#include "ge_core/base/str.h"
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
  GE_ASSIGN_OR_RETURN(PreparedCall call, PreparedCall::Make(row.overload, args));
  for (const Binding& b : bindings) {
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
  return NodeCall{std::move(call), std::move(outputs)};
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
    GE_ASSIGN_OR_RETURN(PreparedCall call, PreparedCall::Make(node.Str("op"), *list));
    std::vector<int> outputs;
    for (int i = 0; i < node.num_outputs(); ++i) outputs.push_back(i);
    return NodeCall{std::move(call), std::move(outputs)};
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
