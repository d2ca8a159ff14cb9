// Structural equality of modules.
#include <algorithm>

#include "ge_core/ir/text.h"

namespace ge {
namespace {

class Comparer {
 public:
  Comparer(const Module& a, const Module& b) : a_(a), b_(b) {}

  bool Run() {
    if (a_.graphs().size() != b_.graphs().size()) return false;
    for (size_t i = 0; i < a_.graphs().size(); ++i)
      if (!Graphs(*a_.graphs()[i], *b_.graphs()[i])) return false;
    return true;
  }

 private:
  static int IndexOf(const Module& m, const std::string& name) {
    for (size_t i = 0; i < m.graphs().size(); ++i)
      if (m.graphs()[i]->name() == name) return static_cast<int>(i);
    return -1;
  }

  // References to subgraphs compare by the subgraph's place in its module.
  bool Attrs(const Attr& a, const Attr& b) const {
    if (auto* x = a.Get<Attr::GraphRef>()) {
      auto* y = b.Get<Attr::GraphRef>();
      if (!y) return false;
      const int i = IndexOf(a_, x->name), j = IndexOf(b_, y->name);
      return i == j && (i >= 0 || x->name == y->name);
    }
    if (auto* x = a.Get<Attr::List>()) {
      auto* y = b.Get<Attr::List>();
      return y && std::equal(x->begin(), x->end(), y->begin(), y->end(), [&](const Attr& p, const Attr& q) { return Attrs(p, q); });
    }
    return a == b;
  }

  bool Nodes(const Node& a, const Node& b) const {
    if (a.op().name != b.op().name || a.num_inputs() != b.num_inputs() || a.num_outputs() != b.num_outputs()) return false;
    if (!std::equal(a.attrs().begin(), a.attrs().end(), b.attrs().begin(), b.attrs().end(),
                    [&](const auto& p, const auto& q) { return p.first == q.first && Attrs(p.second, q.second); }))
      return false;
    for (int i = 0; i < a.num_outputs(); ++i)
      if (!(a.output(i)->type() == b.output(i)->type())) return false;
    for (int i = 0; i < a.num_inputs(); ++i) {
      const Value *x = a.input(i), *y = b.input(i);
      if (!x != !y) return false;
      if (x && (x->index() != y->index() || !Same(x->producer(), y->producer()))) return false;
    }
    if (a.control_inputs().size() != b.control_inputs().size()) return false;
    return std::all_of(a.control_inputs().begin(), a.control_inputs().end(), [&](const Node* x) {
      return std::any_of(b.control_inputs().begin(), b.control_inputs().end(), [&](const Node* y) { return Same(x, y); });
    });
  }

  bool Same(const Node* x, const Node* y) const {
    auto it = twin_.find(x);
    return it != twin_.end() && it->second == y;
  }

  bool Graphs(const Graph& a, const Graph& b) {
    if (a.size() != b.size()) return false;
    Node* y = b.first();
    for (Node* x : a.nodes()) {
      twin_.emplace(x, y);
      if (!Nodes(*x, *y)) return false;
      y = y->next();
    }
    return true;
  }

  const Module &a_, &b_;
  std::unordered_map<const Node*, const Node*> twin_;  // look-up only
};

}  // namespace

bool Equal(const Module& a, const Module& b) { return Comparer(a, b).Run(); }

}  // namespace ge
