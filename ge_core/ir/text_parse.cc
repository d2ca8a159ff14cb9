#include "ge_core/ir/text.h"
#include "ge_core/ir/text_value.h"

namespace ge {
namespace {

using text::Cursor;

class GraphParser {
 public:
  GraphParser(Cursor& cursor, Module& module, text::Budget& budget) : c_(cursor), module_(module), budget_(budget) {}

  Status Run() {
    if (!c_.EatWord("graph")) return c_.Fail("expected 'graph'");
    GE_RETURN_IF_ERROR(c_.Expect('@'));
    c_.Skip();
    const size_t at = c_.pos();
    GE_ASSIGN_OR_RETURN(std::string name, text::ParseName(c_));
    Result<Graph*> graph = module_.AddGraph(std::move(name));
    if (!graph.ok()) return c_.FailAt(at, graph.message());
    graph_ = *graph;
    GE_RETURN_IF_ERROR(c_.Expect('('));
    if (!c_.Eat(')')) {
      do GE_RETURN_IF_ERROR(Parameter());
      while (c_.Eat(','));
      GE_RETURN_IF_ERROR(c_.Expect(')'));
    }
    GE_RETURN_IF_ERROR(c_.Expect('{'));
    while (!c_.EatWord("return")) {
      if (c_.AtEnd() || c_.Peek('}')) return c_.Fail("expected a node or 'return'");
      GE_RETURN_IF_ERROR(NodeLine());
    }
    GE_RETURN_IF_ERROR(Return());
    return c_.Expect('}');
  }

 private:
  // "%name" without its sigil; the cursor stands after it.
  Result<std::string_view> Sigil(char sigil, std::string_view what) {
    if (!c_.Eat(sigil)) return c_.Fail(StrCat("expected ", what));
    const std::string_view name = c_.Word();
    if (name.empty()) return c_.Fail(StrCat("expected a name after '", sigil, "'"));
    return name;
  }

  Status Define(size_t at, std::string_view name, Value* value) {
    if (values_.emplace(name, value).second) return {};
    return c_.FailAt(at, StrCat("%", name, " is defined twice in this graph"));
  }

  // A value defined earlier; null for "none".
  Result<Value*> UseValue() {
    if (c_.EatWord("none")) return static_cast<Value*>(nullptr);
    c_.Skip();
    const size_t at = c_.pos();
    GE_ASSIGN_OR_RETURN(const std::string_view name, Sigil('%', "a value (%name)"));
    auto it = values_.find(name);
    if (it == values_.end()) return c_.FailAt(at, StrCat("%", name, " is not defined before this use"));
    return it->second;
  }

  Result<std::vector<Node*>> After() {
    std::vector<Node*> nodes;
    if (!c_.EatWord("after")) return nodes;
    GE_RETURN_IF_ERROR(c_.Expect('('));
    do {
      if (c_.Peek('!')) {
        const size_t at = c_.pos();
        GE_ASSIGN_OR_RETURN(const std::string_view name, Sigil('!', "a node (!name)"));
        auto it = tokens_.find(name);
        if (it == tokens_.end()) return c_.FailAt(at, StrCat("!", name, " is not defined before this use"));
        nodes.push_back(it->second);
      } else {
        GE_ASSIGN_OR_RETURN(Value* const v, UseValue());
        if (!v) return c_.Fail("'none' is no node to wait for");
        nodes.push_back(v->producer());
      }
    } while (c_.Eat(','));
    GE_RETURN_IF_ERROR(c_.Expect(')'));
    return nodes;
  }

  Result<std::string> Loc() {
    if (!c_.EatWord("loc")) return std::string();
    GE_RETURN_IF_ERROR(c_.Expect('('));
    GE_ASSIGN_OR_RETURN(std::string loc, c_.String());
    GE_RETURN_IF_ERROR(c_.Expect(')'));
    return loc;
  }

  // Attributes of the nodes that have a syntax of their own (parameters, return): checked here, since no Create sees them.
  Status SetAttrs(Node* node, size_t at, const AttrMap& attrs) {
    for (const auto& [name, value] : attrs) {
      if (!name.starts_with('_')) {
        const AttrDef* def = node->op().FindAttr(name);
        if (!def || name == "index")
          return c_.FailAt(at, StrCat(node->op().name, " has no attribute '", name, "' that can be written here"));
        if (def->kind == AttrKind::kBool && !value.Is<bool>()) return c_.FailAt(at, StrCat("attribute '", name, "' must be true or false"));
        if (!def->required && value == def->Default()) continue;
      }
      graph_->SetAttr(node, name, value);
    }
    return {};
  }

  Status Parameter() {
    c_.Skip();
    const size_t at = c_.pos();
    GE_ASSIGN_OR_RETURN(const std::string_view name, Sigil('%', "a parameter (%name: type)"));
    GE_RETURN_IF_ERROR(c_.Expect(':'));
    GE_ASSIGN_OR_RETURN(ValueType type, text::ParseTypeAt(c_));
    Node* node = graph_->AddInput(std::move(type), std::string(name));
    GE_RETURN_IF_ERROR(Define(at, name, node->output()));
    c_.Skip();
    const size_t attrs_at = c_.pos();
    GE_ASSIGN_OR_RETURN(const AttrMap attrs, text::ParseAttrsAt(c_, budget_));
    GE_RETURN_IF_ERROR(SetAttrs(node, attrs_at, attrs));
    GE_ASSIGN_OR_RETURN(std::string loc, Loc());
    graph_->SetLoc(node, std::move(loc));
    return {};
  }

  Status NodeLine() {
    std::vector<std::pair<size_t, std::string_view>> results;
    std::string_view token;
    const size_t start = c_.pos();
    if (c_.Eat('!')) {
      token = c_.Word();
      if (token.empty()) return c_.Fail("expected a name after '!'");
      if (tokens_.contains(token)) return c_.FailAt(start, StrCat("!", token, " is defined twice in this graph"));
      GE_RETURN_IF_ERROR(c_.Expect('='));
    } else if (c_.Peek('%')) {
      do {
        c_.Skip();
        const size_t at = c_.pos();
        GE_ASSIGN_OR_RETURN(const std::string_view name, Sigil('%', "a result (%name)"));
        results.emplace_back(at, name);
      } while (c_.Eat(','));
      GE_RETURN_IF_ERROR(c_.Expect('='));
    }
    c_.Skip();
    const size_t op_at = c_.pos();
    const std::string_view op_name = c_.Ident();
    if (op_name.empty()) return c_.Fail("expected an operator name, or 'return'");
    const OpDef* op = module_.ops().Find(op_name);
    if (!op) return c_.FailAt(op_at, StrCat("unknown operator '", op_name, "'; ge-opt --list-ops lists the known ones"));
    if (op_name == "Data") return c_.FailAt(op_at, "Data is written as a parameter of the graph");
    if (op_name == "NetOutput") return c_.FailAt(op_at, "NetOutput is written as 'return'");

    Graph::NodeSpec spec;
    spec.op = op_name;
    size_t literal_at = 0;
    if (op_name == "Const") {
      c_.Skip();
      literal_at = c_.pos();
      GE_RETURN_IF_ERROR(ConstLiteral(&spec));
    } else {
      GE_RETURN_IF_ERROR(c_.Expect('('));
      if (!c_.Eat(')')) {
        do {
          GE_ASSIGN_OR_RETURN(Value* const v, UseValue());
          spec.inputs.push_back(v);
        } while (c_.Eat(','));
        GE_RETURN_IF_ERROR(c_.Expect(')'));
      }
    }
    c_.Skip();
    const size_t attrs_at = c_.pos();
    GE_ASSIGN_OR_RETURN(AttrMap attrs, text::ParseAttrsAt(c_, budget_));
    for (const auto& [name, value] : attrs) {
      if (op_name == "Const" && !name.starts_with('_'))
        return c_.FailAt(attrs_at, StrCat("Const has no attribute '", name, "' that can be written here"));
      spec.attrs.Set(name, value);
    }
    GE_ASSIGN_OR_RETURN(spec.after, After());
    size_t type_at = c_.pos();
    if (!results.empty()) {
      GE_RETURN_IF_ERROR(c_.Expect(':'));
      c_.Skip();
      type_at = c_.pos();
      do {
        GE_ASSIGN_OR_RETURN(ValueType type, text::ParseTypeAt(c_));
        spec.types.push_back(std::move(type));
      } while (c_.Eat(','));
      if (spec.types.size() != results.size())
        return c_.FailAt(type_at, StrCat("the node has ", results.size(), " results but ", spec.types.size(), " types"));
    }
    if (!op->num_outputs || !op->outputs[op->num_outputs - 1u].variadic) {
      if (results.size() != op->num_outputs)
        return c_.FailAt(start, StrCat(op_name, " has ", int{op->num_outputs}, " results, ", results.size(), " are written"));
    }
    if (op_name == "Const" && !spec.attrs.Find("elided")) {
      if (!spec.types[0].IsStatic()) return c_.FailAt(type_at, "a constant needs a static tensor type");
      const size_t end = c_.pos();
      c_.Seek(literal_at);
      GE_ASSIGN_OR_RETURN(Tensor value, text::ParseTensorAt(c_, spec.types[0], budget_));
      spec.attrs.Set("value", std::move(value));
      c_.Seek(end);
    }
    GE_ASSIGN_OR_RETURN(spec.loc, Loc());
    if (!results.empty()) spec.name = results[0].second;

    Result<Node*> node = graph_->Create(std::move(spec));
    if (!node.ok()) return Status(node.code(), std::string(c_.FailAt(op_at, node.message()).message()));
    if (static_cast<size_t>((*node)->num_outputs()) != results.size())
      return c_.FailAt(start, StrCat("the node has ", (*node)->num_outputs(), " results, ", results.size(), " are written"));
    for (size_t i = 0; i < results.size(); ++i)
      GE_RETURN_IF_ERROR(Define(results[i].first, results[i].second, (*node)->output(static_cast<int>(i))));
    if (!token.empty()) tokens_.emplace(token, *node);
    return {};
  }

  // The literal is read once its type is known; an elided one becomes the attribute "elided".
  Status ConstLiteral(Graph::NodeSpec* spec) {
    if (!c_.EatWord("dense")) return text::SkipLiteral(c_);
    GE_RETURN_IF_ERROR(c_.Expect('<'));
    const size_t at = c_.pos();
    const size_t end = c_.text().find('>', at);
    const std::string_view hash = end == std::string_view::npos ? std::string_view() : c_.text().substr(at, end - at);
    const bool valid =
        hash.size() == 71 && hash.starts_with("sha256:") && hash.find_first_not_of("0123456789abcdef", 7) == std::string_view::npos;
    if (!valid) return c_.FailAt(at, "expected sha256: and 64 hexadecimal digits between < and >");
    c_.Seek(end + 1);
    spec->attrs.Set("elided", hash);
    return {};
  }

  Status Return() {
    std::vector<Value*> outputs;
    c_.Skip();
    if (c_.Peek('%')) {
      do {
        GE_ASSIGN_OR_RETURN(Value* const v, UseValue());
        if (!v) return c_.Fail("'none' cannot be returned");
        outputs.push_back(v);
      } while (c_.Eat(','));
    }
    c_.Skip();
    const size_t attrs_at = c_.pos();
    GE_ASSIGN_OR_RETURN(const AttrMap attrs, text::ParseAttrsAt(c_, budget_));
    GE_ASSIGN_OR_RETURN(const std::vector<Node*> after, After());
    GE_ASSIGN_OR_RETURN(std::string loc, Loc());
    graph_->SetOutputs(outputs);
    Node* node = graph_->net_output();
    GE_RETURN_IF_ERROR(SetAttrs(node, attrs_at, attrs));
    graph_->SetLoc(node, std::move(loc));
    for (Node* n : after) GE_RETURN_IF_ERROR(graph_->AddControlEdge(n, node));
    return {};
  }

  Cursor& c_;
  Module& module_;
  text::Budget& budget_;
  Graph* graph_ = nullptr;
  std::unordered_map<std::string_view, Value*> values_;  // look-up only
  std::unordered_map<std::string_view, Node*> tokens_;   // look-up only
};

}  // namespace

Result<std::unique_ptr<Module>> ParseModule(std::string_view text, const OpTable& ops, const ParseOptions& options) {
  auto module = std::make_unique<Module>(ops);
  Cursor cursor(text);
  text::Budget budget{options.max_constant_bytes};
  do GE_RETURN_IF_ERROR(GraphParser(cursor, *module, budget).Run());
  while (!cursor.AtEnd());
  return module;
}

}  // namespace ge
