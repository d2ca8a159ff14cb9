#include "ge_core/ir/sha256.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/text_value.h"

namespace ge {
namespace {

class Printer {
 public:
  Printer(const Graph& graph, const PrintOptions& options) : graph_(graph), options_(options) {}

  std::string Run() {
    Number();
    out_ += "graph @";
    text::AppendName(out_, graph_.name());
    out_ += '(';
    bool first = true;
    for (Node* n : graph_.nodes()) {
      if (!n->Is("Data")) continue;
      if (!first) out_ += ", ";
      first = false;
      out_ += StrCat(Ref(n->output()), ": ", ToString(n->output()->type()));
      Attrs(*n);
      Loc(*n);
    }
    out_ += ") {\n";
    for (Node* n : graph_.nodes())
      if (!n->Is("Data") && n != graph_.net_output()) Line(*n);
    if (const Node* n = graph_.net_output()) {
      out_ += "  return";
      for (int i = 0; i < n->num_inputs(); ++i) out_ += StrCat(i ? ", " : " ", Ref(n->input(i)));
      Attrs(*n);
      After(*n);
      Loc(*n);
      out_ += '\n';
    }
    return std::move(out_) + "}\n";
  }

 private:
  // %a0.. for parameters, %0.. for results, !0.. for nodes without results that another node waits for.
  void Number() {
    int64_t parameters = 0, values = 0, tokens = 0;
    for (Node* n : graph_.nodes()) {
      for (int i = 0; i < n->num_outputs(); ++i)
        names_.emplace(n->output(i), n->Is("Data") ? StrCat("%a", parameters++) : StrCat("%", values++));
      if (n->num_outputs() == 0 && !n->control_outputs().empty()) tokens_.emplace(n, StrCat("!", tokens++));
    }
  }

  // A broken graph prints too: what it refers to outside itself shows as %?name.
  std::string Ref(const Value* v) const {
    if (!v) return "none";
    auto it = names_.find(v);
    return it == names_.end() ? StrCat("%?", v->producer() ? v->producer()->name() : "") : it->second;
  }

  void Line(const Node& n) {
    out_ += "  ";
    for (int i = 0; i < n.num_outputs(); ++i) out_ += StrCat(i ? ", " : "", Ref(n.output(i)));
    if (auto it = tokens_.find(&n); it != tokens_.end()) out_ += it->second;
    if (n.num_outputs() || tokens_.contains(&n)) out_ += " = ";
    out_ += n.op().name;
    if (n.Is("Const")) {
      out_ += ' ';
      Literal(n);
    } else {
      out_ += '(';
      for (int i = 0; i < n.num_inputs(); ++i) out_ += StrCat(i ? ", " : "", Ref(n.input(i)));
      out_ += ')';
    }
    Attrs(n);
    After(n);
    for (int i = 0; i < n.num_outputs(); ++i) out_ += StrCat(i ? ", " : " : ", ToString(n.output(i)->type()));
    Loc(n);
    out_ += '\n';
  }

  void Literal(const Node& n) {
    const Tensor* t = n.const_value();
    if (!t || !t->defined()) {
      out_ += StrCat("dense<", n.Str("elided"), ">");
    } else if (options_.elide_over < 0 || t->num_elements() <= options_.elide_over || text::IsSplat(*t)) {
      text::AppendTensor(out_, *t);
    } else {
      out_ += StrCat("dense<sha256:", Sha256Hex(t->bytes()), ">");
    }
  }

  void Attrs(const Node& n) {
    bool first = true;
    for (const auto& [name, value] : n.attrs()) {
      if (n.Is("Data") && name == "index") continue;
      if (n.Is("Const") && (name == "value" || name == "elided")) continue;
      out_ += first ? " {" : ", ";
      first = false;
      text::AppendName(out_, name);
      out_ += '=';
      text::AppendAttr(out_, value);
    }
    if (!first) out_ += '}';
  }

  void After(const Node& n) {
    bool first = true;
    for (const Node* c : n.control_inputs()) {
      out_ += first ? " after(" : ", ";
      first = false;
      auto it = tokens_.find(c);
      out_ += it != tokens_.end() ? it->second : c->num_outputs() ? Ref(c->output()) : StrCat("!?", c->name());
    }
    if (!first) out_ += ')';
  }

  void Loc(const Node& n) {
    if (options_.locs && !n.loc().empty()) out_ += StrCat("  loc(", ToString(Attr(n.loc())), ")");
  }

  const Graph& graph_;
  const PrintOptions& options_;
  std::unordered_map<const Value*, std::string> names_;  // look-up only
  std::unordered_map<const Node*, std::string> tokens_;  // look-up only
  std::string out_;
};

}  // namespace

std::string Print(const Graph& graph, const PrintOptions& options) { return Printer(graph, options).Run(); }

std::string Print(const Module& module, const PrintOptions& options) {
  std::string out;
  for (const auto& g : module.graphs()) out += StrCat(out.empty() ? "" : "\n", Print(*g, options));
  return out;
}

}  // namespace ge
