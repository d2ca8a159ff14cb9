#include "torch_backend/csrc/importer.h"

#include <torch/csrc/autograd/python_variable.h>

#include "ge_core/base/str.h"
#include "host_kernels/aten/call.h"
#include "host_kernels/aten/tensor_slot.h"
#include "torch_backend/csrc/native_match.h"

namespace ge::torch_backend {
namespace {

// What is known about one OpOverload; looked up once a process.
struct Target {
  std::string name;
  std::optional<c10::OperatorHandle> handle;
  bool pure = false;
  std::vector<Attr> defaults;  // None where there is no default
};

Target* TargetOf(py::handle overload) {
  static auto* cache = new std::unordered_map<PyObject*, std::unique_ptr<Target>>();  // keys are kept alive; guarded by the GIL
  auto& entry = (*cache)[overload.ptr()];
  if (entry) return entry.get();
  overload.inc_ref();
  entry = std::make_unique<Target>();
  Target& t = *entry;
  t.name = overload.attr("name")().cast<std::string>();
  const size_t dot = t.name.find('.', t.name.find("::"));
  t.handle = c10::Dispatcher::singleton().findSchema({t.name.substr(0, dot), dot == std::string::npos ? "" : t.name.substr(dot + 1)});
  if (!t.handle) return entry.get();
  const auto& schema = t.handle->schema();
  const bool known = t.name.starts_with("aten::") || t.name.starts_with("prims::");
  t.pure = known && !schema.is_mutable() && !schema.returns().empty() && !t.handle->hasTag(at::Tag::nondeterministic_seeded);
  for (const auto& a : schema.arguments()) {
    Attr d;
    if (a.default_value()) {
      const c10::IValue& v = *a.default_value();
      if (v.isBool())
        d = v.toBool();
      else if (v.isInt())
        d = v.toInt();
      else if (v.isDouble())
        d = v.toDouble();
      else if (v.isString())
        d = v.toStringRef();
      else if (v.isIntList())
        d = Attr::Ints(v.toIntVector());
    }
    t.defaults.push_back(std::move(d));
  }
  return entry.get();
}

// SymCompute's name of a Python function; empty if it is none.
std::string SymFunction(py::handle target) {
  static const std::map<std::string, std::string> kNames = {
      {"add", "add"},         {"sub", "sub"},        {"mul", "mul"},         {"floordiv", "floordiv"},
      {"truediv", "truediv"}, {"mod", "mod"},        {"pow", "pow"},         {"neg", "neg"},
      {"pos", "pos"},         {"abs", "abs"},        {"eq", "eq"},           {"ne", "ne"},
      {"lt", "lt"},           {"le", "le"},          {"gt", "gt"},           {"ge", "ge"},
      {"and_", "and"},        {"or_", "or"},         {"xor", "xor"},         {"not_", "not"},
      {"lshift", "lshift"},   {"rshift", "rshift"},  {"sym_not", "not"},     {"sym_max", "max"},
      {"sym_min", "min"},     {"sym_sum", "sum"},    {"sym_float", "float"}, {"sym_int", "int"},
      {"sym_ite", "ite"},     {"_sym_sqrt", "sqrt"}, {"floor", "floor"},     {"ceil", "ceil"},
      {"trunc", "trunc"},     {"max", "max"},        {"min", "min"},         {"round", "round"},
      {"sqrt", "sqrt"}};
  if (!py::hasattr(target, "__name__")) return {};
  const std::string name = target.attr("__name__").cast<std::string>();
  auto it = kNames.find(name);
  return it == kNames.end() ? std::string() : it->second;
}

class GraphImporter {
 public:
  GraphImporter(py::handle gm, Graph& graph, const AtenMappings& mappings, const ImportOptions& options, Imported& out)
      : gm_(py::reinterpret_borrow<py::object>(gm)), graph_(graph), mappings_(mappings), options_(options), out_(out), constants_(graph) {}

  // Imports every node. `specs` null: a subgraph, whose outputs must all be values.
  Status Run(std::vector<OutputSpec>* specs, bool weights) {
    int64_t placeholder = 0;
    for (py::handle node : Nodes(gm_)) {
      const std::string op = node.attr("op").cast<std::string>();
      Status s;
      if (op == "placeholder")
        s = Placeholder(node,
                        weights && std::find(options_.weights.begin(), options_.weights.end(), placeholder) != options_.weights.end()),
        ++placeholder;
      else if (op == "get_attr")
        s = GetAttr(node);
      else if (op == "call_function")
        s = Call(node);
      else if (op == "output")
        s = Output(node, specs);
      else
        s = Unimplemented(StrCat("FX node kind ", op));
      if (!s.ok())
        return std::move(s).Annotate(
            StrCat("while importing FX node ", node.attr("name").cast<std::string>(), " ", SourceLine(node.attr("meta"))));
    }
    return {};
  }

 private:
  // As a list: FX's own iterator starts again after its end, which pybind11's loops ask for twice.
  static py::list Nodes(const py::object& gm) { return py::list(gm.attr("graph").attr("nodes")); }

  static py::object Val(py::handle node) {
    PyObject* v = PyDict_GetItemString(py::object(node.attr("meta")).ptr(), "val");  // borrowed
    return v ? py::reinterpret_borrow<py::object>(v) : py::none();
  }

  const ValueTree* Find(py::handle node) const {
    auto it = values_.find(node.ptr());
    return it == values_.end() ? nullptr : &it->second;
  }

  Status Placeholder(py::handle node, bool weight) {
    const py::object val = Val(node);
    Node* data = graph_.AddInput(TypeOf(val), node.attr("name").cast<std::string>());
    // A Python number in a subgraph's signature is specialised in its metadata; at run time it arrives as a sym.
    if (weight && data->output()->type().IsStatic()) graph_.SetAttr(data, "weight", true);
    values_[node.ptr()] = {.value = data->output()};
    return {};
  }

  py::object Resolve(py::handle node) const {
    py::object object = gm_;
    const std::string path = node.attr("target").cast<std::string>();
    for (size_t start = 0; start <= path.size();) {
      const size_t dot = std::min(path.find('.', start), path.size());
      object = object.attr(path.substr(start, dot - start).c_str());
      start = dot + 1;
    }
    return object;
  }

  Status GetAttr(py::handle node) {
    const py::object object = Resolve(node);
    if (!THPVariable_Check(object.ptr())) {
      modules_[node.ptr()] = object;  // a subgraph of a higher-order op, or another Python object: PyCall takes it
      return {};
    }
    const at::Tensor& t = THPVariable_Unpack(object.ptr());
    const auto dtype = aten::FromScalarType(t.scalar_type());
    if (!dtype || !aten::IsPlain(t) || !t.is_contiguous() || t.unsafeGetTensorImpl()->is_python_dispatch()) {
      return PyConstant(node, object);
    }
    const ValueType type = ValueType::Tensor(*dtype, Shape(t.sizes().begin(), t.sizes().end()));
    auto keep = std::make_shared<at::Tensor>(t);
    const void* data = keep->const_data_ptr();
    Tensor constant = t.numel() == 0 ? Tensor(type) : Tensor(type, std::shared_ptr<const void>(keep, data), data);
    values_[node.ptr()] = {.value = graph_.CreateConst(std::move(constant), nullptr, node.attr("name").cast<std::string>())->output()};
    return {};
  }

  // A constant that our tensors cannot hold: a PyCall without inputs that returns it.
  Status PyConstant(py::handle node, const py::object& object) {
    const int64_t index = static_cast<int64_t>(out_.callables.size());
    out_.callables.push_back(py::module_::import("torch_ge._fx").attr("constant")(object));
    GE_ASSIGN_OR_RETURN(Node * made, graph_.Create({.op = "PyCall",
                                                    .attrs = {{"callable", index}, {"target", "constant"}},
                                                    .name = node.attr("name").cast<std::string>(),
                                                    .types = {TypeOf(object)}}));
    values_[node.ptr()] = {.value = made->output()};
    return {};
  }

  // Flattens the metadata of a result: types in order, and the tree that names them.
  void Flatten(py::handle val, std::vector<ValueType>& types, std::vector<bool>& none, ValueTree& tree) {
    if (PyTuple_Check(val.ptr()) || PyList_Check(val.ptr())) {
      tree.is_list = true;
      for (py::handle item : py::reinterpret_borrow<py::sequence>(val)) Flatten(item, types, none, tree.items.emplace_back());
      return;
    }
    types.push_back(TypeOf(val));
    none.push_back(val.is_none());
  }

  static void Fill(ValueTree& tree, std::span<Value* const> values, size_t& next) {
    if (tree.is_list) {
      for (ValueTree& item : tree.items) Fill(item, values, next);
    } else {
      tree.value = values[next++];
    }
  }

  Status Call(py::handle node) {
    const py::object target = node.attr("target");
    if (IsGetItem(target)) {
      const py::tuple args = node.attr("args");
      const ValueTree* tree = Find(args[0]);
      if (tree && tree->is_list && PyLong_Check(py::object(args[1]).ptr())) {
        int64_t i = py::object(args[1]).cast<int64_t>();
        if (i < 0) i += static_cast<int64_t>(tree->items.size());
        if (i < 0 || i >= static_cast<int64_t>(tree->items.size())) return InvalidArgument("a result index is out of range");
        ValueTree item = tree->items[static_cast<size_t>(i)];
        values_[node.ptr()] = std::move(item);
        return {};
      }
    }
    ++out_.nodes_imported;
    if (py::isinstance(target, FxNames::Get().op_overload)) {
      Target& t = *TargetOf(target);
      if (t.handle) {
        Status s = AtenTarget(node, t);
        if (s.code() != Code::kUnimplemented) return s;
        return PyFallback(node, t.name, s.message());
      }
      return PyFallback(node, t.name, "the dispatcher does not know it");
    }
    if (py::isinstance(target, FxNames::Get().higher_order_op)) {
      Result<bool> done = HigherOrder(node, target.attr("__name__").cast<std::string>());
      if (!done.ok()) return std::move(done).status();
      if (*done) return {};
    } else if (const py::object val = Val(node); !THPVariable_Check(val.ptr()) && !PyTuple_Check(val.ptr()) && !PyList_Check(val.ptr())) {
      const std::string fn = SymFunction(target);
      if (!fn.empty() && TypeOf(val).IsSym()) {
        Status s = SymTarget(node, fn, TypeOf(val));
        if (s.code() != Code::kUnimplemented) return s;
      }
    }
    return PyFallback(node, py::str(py::hasattr(target, "__name__") ? target.attr("__name__") : target).cast<std::string>(),
                      "no native form");
  }

  static bool IsGetItem(const py::object& target) {
    static PyObject* getitem = py::object(py::module_::import("_operator").attr("getitem")).release().ptr();
    return target.ptr() == getitem;
  }

  // torch_ge.no_fold(x), torch_backend/keep.py: the node that computes x is marked, and x takes the place of the call. Where x
  // is no memory of its own (an input, a constant, a view), a marked copy does: the trace took the result for a new tensor.
  Status KeepUnfolded(py::handle node) {
    const py::tuple args = node.attr("args");
    const ValueTree* tree = args.size() == 1 ? Find(args[0]) : nullptr;
    if (!tree || tree->is_list || !tree->value) return Unimplemented("torch_ge.no_fold takes one tensor");
    Value* x = tree->value;
    Node* keep = x->producer();
    if (!keep->op().Has(kSkeleton)) graph_.SetAttr(keep, "_do_not_constant_folding", true);
    if (keep->op().Has(kSkeleton) || keep->may_alias_inputs()) {
      GE_ASSIGN_OR_RETURN(keep, graph_.Create({.op = "TensorMove",
                                               .inputs = {x},
                                               .attrs = {},
                                               .name = node.attr("name").cast<std::string>(),
                                               .loc = SourceLine(node.attr("meta")),
                                               .types = {TypeOf(Val(node))},
                                               .after = {}}));
      graph_.SetAttr(keep, "_do_not_constant_folding", true);
      x = keep->output();
    }
    values_[node.ptr()] = {.value = x};
    return {};
  }

  Status AtenTarget(py::handle node, Target& t) {
    if (t.name == "torch_ge::no_fold") return KeepUnfolded(node);
    const auto& schema = t.handle->schema();
    ArgReader reader([this](py::handle n) { return Find(n); });
    std::vector<Attr> args = t.defaults;
    const py::tuple positional = node.attr("args");
    const py::dict keywords = node.attr("kwargs");
    if (positional.size() > args.size()) return Unimplemented("more arguments than the schema has");
    size_t given = positional.size();
    for (size_t i = 0; i < positional.size(); ++i) { GE_ASSIGN_OR_RETURN(args[i], reader.Read(positional[i])); }
    for (const auto& [key, value] : keywords) {
      const auto index = schema.argumentIndexWithName(py::str(key).cast<std::string>());
      if (!index) return Unimplemented("an unknown keyword argument");
      GE_ASSIGN_OR_RETURN(args[static_cast<size_t>(*index)], reader.Read(value));
      given = std::max(given, static_cast<size_t>(*index) + 1);
    }
    std::vector<ValueType> types;
    std::vector<bool> none;
    ValueTree tree;
    const py::object val = Val(node);
    if (!schema.returns().empty()) Flatten(val, types, none, tree);
    const std::string name = node.attr("name").cast<std::string>();
    const std::string loc = SourceLine(node.attr("meta"));
    auto used_storage = std::make_unique<bool[]>(types.size());
    MarkUsed(node, tree, types.size(), used_storage.get());

    std::vector<Value*> results(types.size());
    const auto rows = mappings_.ForOverload(t.name);
    NativeMatch match;
    if (!rows.empty()) {
      match = MatchNative({schema, args, reader.refs, types, {used_storage.get(), types.size()}, name, loc}, rows, graph_, constants_);
      if (!match.mismatch.empty()) {
        const std::string text = StrCat("shape inference disagrees with PyTorch for ", t.name, " (", loc, "): ", match.mismatch);
        if (options_.strict) return InvalidArgument(text);
        out_.notes.push_back(text);
      }
    }
    if (match.node) {
      for (size_t r = 0; r < results.size() && r < match.outputs.size(); ++r)
        if (match.outputs[r] >= 0) results[r] = match.node->output(match.outputs[r]);
    } else {
      args.resize(std::max(given, RequiredArguments(schema)));
      AttrMap attrs{{"op", t.name}, {"args", Attr(Attr::List(args.begin(), args.end()))}, {"pure", t.pure}};
      // `alias` stays true: schemas do not tell (unsafe_split returns views without saying so).
      // What the dispatcher cannot take as data (a generator, a class) goes through Python.
      if (Result<aten::PreparedCall> call = aten::PreparedCall::Make(t.name, args); !call.ok()) return Unimplemented(call.message());
      GE_ASSIGN_OR_RETURN(
          Node * made,
          graph_.Create({.op = "AtenCall", .inputs = reader.refs, .attrs = std::move(attrs), .name = name, .loc = loc, .types = types}));
      for (size_t r = 0; r < results.size(); ++r) results[r] = made->output(static_cast<int>(r));
      ++out_.fallbacks[StrCat("aten:", t.name)];
      out_.why[made->name()] = rows.empty() ? StrCat(t.name, " has no native operator") : match.reasons;
    }
    for (size_t r = 0; r < results.size(); ++r)
      if (none[r]) results[r] = nullptr;
    size_t next = 0;
    if (!types.empty()) Fill(tree, results, next);
    values_[node.ptr()] = std::move(tree);
    return {};
  }

  static size_t RequiredArguments(const c10::FunctionSchema& schema) {
    size_t n = 0;
    for (size_t i = 0; i < schema.arguments().size(); ++i)
      if (!schema.arguments()[i].default_value()) n = i + 1;
    return n;
  }

  // Which results of a call have users: a list result is used item by item through getitem.
  void MarkUsed(py::handle node, const ValueTree& tree, size_t count, bool* used) {
    const py::dict users = node.attr("users");
    std::fill(used, used + count, !tree.is_list && py::len(users) > 0);
    if (!tree.is_list) return;
    for (const auto& [user, unused] : users) {
      const py::object target = user.attr("target");
      const py::tuple args = user.attr("args");
      if (!IsGetItem(target) || !PyLong_Check(py::object(args[1]).ptr())) {
        std::fill(used, used + count, true);
        return;
      }
      const size_t i = static_cast<size_t>(py::object(args[1]).cast<int64_t>());
      if (i < count && py::len(user.attr("users")) > 0) used[i] = true;
    }
  }

  Status SymTarget(py::handle node, const std::string& fn, const ValueType& type) {
    ArgReader reader([this](py::handle n) { return Find(n); });
    GE_ASSIGN_OR_RETURN(Attr args, reader.Read(node.attr("args")));
    for (Value* v : reader.refs)
      if (!v->type().IsSym()) return Unimplemented("shape arithmetic on a tensor");
    GE_ASSIGN_OR_RETURN(Node * made, graph_.Create({.op = "SymCompute",
                                                    .inputs = reader.refs,
                                                    .attrs = {{"fn", fn}, {"args", std::move(args)}},
                                                    .name = node.attr("name").cast<std::string>(),
                                                    .loc = SourceLine(node.attr("meta")),
                                                    .types = {type}}));
    values_[node.ptr()] = {.value = made->output()};
    return {};
  }

  // A Python callable with the node's value inputs as flat positional arguments.
  Status PyFallback(py::handle node, const std::string& target, const std::string& reason) {
    const py::tuple made = FxNames::Get().make_py_call(node, gm_);  // (callable, [input nodes], metadata of the result)
    std::vector<Value*> inputs;
    for (py::handle n : py::list(made[1])) {
      const ValueTree* tree = Find(n);
      if (!tree) return Internal(StrCat("input ", py::str(n).cast<std::string>(), " is unknown"));
      Leaves(*tree, inputs);
    }
    std::vector<ValueType> types;
    std::vector<bool> none;
    ValueTree tree;
    Flatten(made[2], types, none, tree);
    const int64_t index = static_cast<int64_t>(out_.callables.size());
    out_.callables.push_back(made[0]);
    GE_ASSIGN_OR_RETURN(Node * call, graph_.Create({.op = "PyCall",
                                                    .inputs = inputs,
                                                    .attrs = {{"callable", index}, {"target", target}},
                                                    .name = node.attr("name").cast<std::string>(),
                                                    .loc = SourceLine(node.attr("meta")),
                                                    .types = types}));
    std::vector<Value*> results;
    for (size_t i = 0; i < types.size(); ++i) results.push_back(none[i] ? nullptr : call->output(static_cast<int>(i)));
    size_t next = 0;
    Fill(tree, results, next);
    values_[node.ptr()] = std::move(tree);
    ++out_.fallbacks[StrCat("python:", target)];
    out_.why[call->name()] = reason;
    return {};
  }

  static void Leaves(const ValueTree& tree, std::vector<Value*>& out) {
    if (!tree.is_list) {
      out.push_back(tree.value);
      return;
    }
    for (const ValueTree& item : tree.items) Leaves(item, out);
  }

  // cond, while_loop and invoke_subgraph become control flow over imported subgraphs. False: not this op, or not this form.
  Result<bool> HigherOrder(py::handle node, const std::string& name) {
    const py::tuple args = node.attr("args");
    std::vector<std::pair<const char*, py::object>> graphs;
    py::object operands;
    std::string op;
    int64_t carried = 0;
    const auto module = [&](py::handle n) {
      auto it = modules_.find(n.ptr());
      return it != modules_.end() && py::isinstance(it->second, FxNames::Get().graph_module) ? it->second : py::object();
    };
    if (name == "cond" && args.size() == 4) {
      op = "If";
      graphs = {{"then_branch", module(args[1])}, {"else_branch", module(args[2])}};
      operands = py::make_tuple(args[0]) + py::tuple(args[3]);
    } else if (name == "while_loop" && args.size() == 4) {
      op = "While";
      graphs = {{"cond", module(args[0])}, {"body", module(args[1])}};
      carried = static_cast<int64_t>(py::len(args[2]));
      operands = py::tuple(args[2]) + py::tuple(args[3]);
    } else {
      return false;
    }
    for (const auto& [attr, gm] : graphs)
      if (!gm) return false;
    ArgReader reader([this](py::handle n) { return Find(n); });
    Result<Attr> read = reader.Read(operands);
    if (!read.ok()) return false;
    std::vector<Value*> inputs;
    for (const Attr& a : *read->Get<Attr::List>()) {
      auto* ref = a.Get<Attr::InputRef>();
      if (!ref) return false;  // a number as operand: PyCall passes it on
      inputs.push_back(reader.refs[static_cast<size_t>(ref->index)]);
    }
    std::vector<ValueType> types;
    std::vector<bool> none;
    ValueTree tree;
    Flatten(Val(node), types, none, tree);
    if (std::find(none.begin(), none.end(), true) != none.end()) return false;
    AttrMap attrs;
    if (op == "While") attrs.Set("num_carried", carried);
    for (const auto& [attr, gm] : graphs) {
      if (!ImportableSubgraph(gm)) return false;
      GE_ASSIGN_OR_RETURN(Graph * sub, graph_.module().AddGraph(
                                           StrCat(node.attr("name").cast<std::string>(), "_", attr, "_", graph_.module().graphs().size())));
      GE_RETURN_IF_ERROR(GraphImporter(gm, *sub, mappings_, options_, out_).Run(nullptr, false));
      attrs.Set(attr, Attr::GraphRef{sub->name()});
    }
    GE_ASSIGN_OR_RETURN(Node * made, graph_.Create({.op = op,
                                                    .inputs = inputs,
                                                    .attrs = std::move(attrs),
                                                    .name = node.attr("name").cast<std::string>(),
                                                    .loc = SourceLine(node.attr("meta")),
                                                    .types = types}));
    std::vector<Value*> results;
    for (size_t i = 0; i < types.size(); ++i) results.push_back(made->output(static_cast<int>(i)));
    size_t next = 0;
    Fill(tree, results, next);
    values_[node.ptr()] = std::move(tree);
    return true;
  }

  // Every node has metadata, and every output is a value.
  static bool ImportableSubgraph(const py::object& gm) {
    for (py::handle n : Nodes(gm)) {
      const std::string op = n.attr("op").cast<std::string>();
      if (op == "get_attr") continue;
      if (op == "output") {
        const py::object result = py::tuple(n.attr("args"))[0];
        if (!PyTuple_Check(result.ptr()) && !PyList_Check(result.ptr())) return py::isinstance(result, FxNames::Get().node_class);
        for (py::handle item : py::reinterpret_borrow<py::sequence>(result))
          if (!py::isinstance(item, FxNames::Get().node_class)) return false;
        continue;
      }
      if (!py::dict(n.attr("meta")).contains("val")) return false;
    }
    return true;
  }

  Status Output(py::handle node, std::vector<OutputSpec>* specs) {
    py::object result = py::tuple(node.attr("args"))[0];
    if (!PyTuple_Check(result.ptr()) && !PyList_Check(result.ptr())) result = py::make_tuple(result);
    std::vector<Value*> outputs;
    for (py::handle item : py::reinterpret_borrow<py::sequence>(result)) {
      OutputSpec spec;
      if (py::isinstance(item, FxNames::Get().node_class)) {
        const ValueTree* tree = Find(item);
        if (!tree || tree->is_list) return Unimplemented("the graph returns a list or an unknown value");
        if (tree->value) {
          spec.kind = OutputSpec::Kind::kValue;
          spec.index = static_cast<int>(outputs.size());
          outputs.push_back(tree->value);
        }
      } else if (!item.is_none()) {
        spec.kind = OutputSpec::Kind::kConstant;
        spec.constant = py::reinterpret_borrow<py::object>(item);
      }
      if (!specs && spec.kind != OutputSpec::Kind::kValue) return Unimplemented("a subgraph returns something that is no value");
      if (specs) specs->push_back(std::move(spec));
    }
    graph_.SetOutputs(outputs);
    return {};
  }

  py::object gm_;
  Graph& graph_;
  const AtenMappings& mappings_;
  const ImportOptions& options_;
  Imported& out_;
  IntConstants constants_;
  std::unordered_map<PyObject*, ValueTree> values_;    // look-up only
  std::unordered_map<PyObject*, py::object> modules_;  // look-up only
};

}  // namespace

Result<Imported> ImportFx(py::handle gm, const OpTable& ops, const AtenMappings& mappings, const ImportOptions& options) {
  Imported out;
  out.module = std::make_unique<Module>(ops);
  GE_ASSIGN_OR_RETURN(Graph * graph, out.module->AddGraph("main"));
  GE_RETURN_IF_ERROR(GraphImporter(gm, *graph, mappings, options, out).Run(&out.outputs, true));
  return out;
}

}  // namespace ge::torch_backend
