#include "ge_core/ir/verifier.h"

#include <algorithm>
#include <map>
#include <set>

#include "ge_core/base/str.h"
#include "ge_core/ir/reference.h"
#include "ge_core/ir/signature.h"

namespace ge {
namespace {

constexpr int64_t kMaxRank = 255;
constexpr size_t kMaxReported = 50;

class Verifier {
 public:
  explicit Verifier(const Module& module) : module_(module) {}

  Status Run() {
    if (module_.graphs().empty()) Report("V07", nullptr, nullptr, "the module has no graph");
    std::set<std::string_view> names;
    for (const auto& g : module_.graphs()) {
      if (!names.insert(g->name()).second) Report("V12", g.get(), nullptr, "another graph has the same name");
      CheckGraph(*g);
    }
    CheckCallCycles();
    if (violations_.empty()) return {};
    const size_t hidden = violations_.size() > kMaxReported ? violations_.size() - kMaxReported : 0;
    violations_.resize(violations_.size() - hidden);
    return Internal(StrCat("the graph violates ", violations_.size() + hidden, " invariant(s) of docs/verifier.md:\n",
                           Join(violations_, "\n"), hidden ? StrCat("\n... and ", hidden, " more") : ""));
  }

 private:
  void Report(std::string_view rule, const Graph* g, const Node* n, std::string_view what) {
    std::string where = g ? StrCat(" graph '", g->name(), "'") : "";
    if (n) where += StrCat(", ", n->op().name, " '", n->name(), "'", n->loc().empty() ? "" : StrCat(" (", n->loc(), ")"));
    violations_.push_back(StrCat(rule, where, ": ", what));
  }

  void CheckGraph(const Graph& g) {
    position_.clear();
    int64_t position = 0;
    for (Node* n : g.nodes()) position_.emplace(n, position++);
    std::set<std::string_view> names;
    for (Node* n : g.nodes()) {
      if (!names.insert(n->name()).second)
        Report("V12", &g, n, "another node has the same name");
      else if (n->name().empty() || g.FindNode(n->name()) != n)
        Report("V12", &g, n, "cannot be found by its name");
      CheckInputs(g, *n);
      CheckUses(g, *n);
      CheckControl(g, *n);
      CheckSignature(g, *n);
      CheckTypes(g, *n);
      CheckConst(g, *n);
      for (const auto& [name, value] : n->attrs()) CheckRefs(g, *n, name, value);
      CheckCall(g, *n);
      if (WritesOperand0(*n)) CheckMutation(g, *n);
    }
    CheckSkeleton(g);
  }

  // V01
  void CheckInputs(const Graph& g, const Node& n) {
    for (int i = 0; i < n.num_inputs(); ++i) {
      const Value* v = n.input(i);
      if (!v) continue;
      auto it = position_.find(v->producer());
      if (it == position_.end())
        Report("V01", &g, &n, StrCat("input ", i, " is produced outside this graph"));
      else if (it->second >= position_.at(&n))
        Report("V01", &g, &n, StrCat("input ", i, " is produced by '", v->producer()->name(), "', which does not come before it"));
    }
  }

  // V02, both ways
  void CheckUses(const Graph& g, const Node& n) {
    for (int i = 0; i < n.num_outputs(); ++i) {
      const Value* v = n.output(i);
      if (v->producer() != &n || v->index() != i) Report("V02", &g, &n, StrCat("result ", i, " does not name its producer"));
      std::set<std::pair<const Node*, int>> seen;
      for (const Use& use : v->uses()) {
        const bool known = position_.contains(use.user);
        if (!known || use.index < 0 || use.index >= use.user->num_inputs() || use.user->input(use.index) != v)
          Report("V02", &g, &n,
                 StrCat("the use list of result ", i, " names ",
                        known ? StrCat("input ", use.index, " of '", use.user->name(), "'") : "a node outside this graph",
                        ", which does not read it"));
        else if (!seen.insert({use.user, use.index}).second)
          Report("V02", &g, &n, StrCat("the use list of result ", i, " names a use twice"));
      }
    }
    for (int i = 0; i < n.num_inputs(); ++i) {
      const Value* v = n.input(i);
      if (!v || !position_.contains(v->producer())) continue;
      const auto& uses = v->uses();
      if (std::none_of(uses.begin(), uses.end(), [&](const Use& u) { return u.user == &n && u.index == i; }))
        Report("V02", &g, &n, StrCat("input ", i, " is missing in the use list of '", v->producer()->name(), "'"));
    }
  }

  // V10: the list is a topological order of data (V01) and control edges, so there is no cycle.
  void CheckControl(const Graph& g, const Node& n) {
    for (const Node* c : n.control_inputs()) {
      auto it = position_.find(c);
      if (it == position_.end()) {
        Report("V10", &g, &n, "waits for a node outside this graph");
      } else {
        if (it->second >= position_.at(&n)) Report("V10", &g, &n, StrCat("waits for '", c->name(), "', which does not come before it"));
        if (std::count(c->control_outputs().begin(), c->control_outputs().end(), &n) != 1)
          Report("V10", &g, &n, StrCat("the control edge from '", c->name(), "' is not mirrored there"));
      }
    }
    for (const Node* c : n.control_outputs())
      if (!position_.contains(c) || std::count(c->control_inputs().begin(), c->control_inputs().end(), &n) != 1)
        Report("V10", &g, &n, "a control edge to another node is not mirrored there");
  }

  // V03, V04, V05
  void CheckSignature(const Graph& g, const Node& n) {
    for (const SignatureError& e : SignatureErrors(n.op(), n.inputs(), n.attrs()))
      Report(e.what == SignatureError::What::kArity ? "V03" : e.what == SignatureError::What::kAttr ? "V04" : "V05", &g, &n, e.message);
    const OpDef& op = n.op();
    const bool variadic = op.num_outputs && op.outputs[op.num_outputs - 1u].variadic;
    if (n.num_outputs() < op.num_outputs - variadic || (!variadic && n.num_outputs() > op.num_outputs))
      Report("V03", &g, &n, StrCat("has ", n.num_outputs(), " results, expected ", op.num_outputs - variadic, variadic ? " or more" : ""));
    for (int i = 0; i < n.num_outputs() && op.num_outputs; ++i) {
      const Port& p = op.outputs[static_cast<size_t>(std::min<int>(i, op.num_outputs - 1))];
      const ValueType& t = n.output(i)->type();
      if (t.IsTensor() && !p.types.Has(t.dtype()))
        Report("V05", &g, &n, StrCat("result ", i, " has dtype ", Name(t.dtype()), ", which the operator does not give"));
    }
  }

  // V06, V11
  void CheckTypes(const Graph& g, const Node& n) {
    bool sound = true;
    for (int i = 0; i < n.num_outputs(); ++i)
      if (Status s = CheckType(n.output(i)->type()); !s.ok()) Report("V11", &g, &n, StrCat("result ", i, ": ", s.message())), sound = false;
    for (const Value* v : n.inputs()) sound = sound && (!v || CheckType(v->type()).ok());
    // Inference may rely on what the other rules promise.
    if (!n.op().infer || !sound || !SignatureErrors(n.op(), n.inputs(), n.attrs()).empty()) return;
    std::vector<const ValueType*> in;
    for (const Value* v : n.inputs()) in.push_back(v ? &v->type() : nullptr);
    InferContext context{n.op(), in, n.attrs(), [&](int i) {
                           const Value* v = i >= 0 && i < n.num_inputs() ? n.input(i) : nullptr;
                           return v ? v->producer()->const_value() : nullptr;
                         }};
    const Result<std::vector<ValueType>> inferred = n.op().infer(context);
    if (!inferred.ok()) return Report("V06", &g, &n, inferred.message());
    if (inferred->size() != static_cast<size_t>(n.num_outputs()))
      return Report("V06", &g, &n, StrCat("has ", n.num_outputs(), " results, inference gives ", inferred->size()));
    for (int i = 0; i < n.num_outputs(); ++i) {
      const ValueType& want = (*inferred)[static_cast<size_t>(i)];
      if (!CompatibleType(want, n.output(i)->type()))
        Report("V06", &g, &n, StrCat("result ", i, " has type ", ToString(n.output(i)->type()), ", inference gives ", ToString(want)));
    }
  }

  // V09
  void CheckConst(const Graph& g, const Node& n) {
    if (!n.Is("Const") || n.num_outputs() != 1) return;
    const ValueType& type = n.output()->type();
    if (!type.IsStatic()) return Report("V09", &g, &n, StrCat("a constant needs a static tensor type, found ", ToString(type)));
    const Tensor* t = n.const_value();
    if (!t || !t->defined()) {
      if (n.Str("elided").empty()) Report("V09", &g, &n, "has neither a value nor the name of an elided one");
    } else if (!SameLogicalType(t->type(), type)) {
      Report("V09", &g, &n, StrCat("its value is ", ToString(t->type()), ", its type ", ToString(type)));
    }
  }

  // V13 ($i), V15 (@graph)
  void CheckRefs(const Graph& g, const Node& n, const std::string& name, const Attr& a) {
    if (auto* r = a.Get<Attr::InputRef>()) {
      if (r->index < 0 || r->index >= n.num_inputs())
        Report("V13", &g, &n, StrCat("attribute '", name, "' names input $", r->index, ", the node has ", n.num_inputs()));
    } else if (auto* s = a.Get<Attr::GraphRef>()) {
      const Graph* callee = module_.Find(s->name);
      if (!callee) return Report("V15", &g, &n, StrCat("attribute '", name, "' names graph @", s->name, ", which does not exist"));
      if (callee == module_.graphs().front().get()) Report("V15", &g, &n, StrCat("attribute '", name, "' names the entry graph"));
      calls_[&g].push_back(callee);
    } else if (auto* list = a.Get<Attr::List>()) {
      for (const Attr& item : *list) CheckRefs(g, n, name, item);
    }
  }

  const Graph* Callee(const Node& n, std::string_view attr) const {
    auto* r = n.attrs().Get<Attr::GraphRef>(attr);
    const Graph* callee = r ? module_.Find(r->name) : nullptr;
    return callee && callee->net_output() ? callee : nullptr;
  }

  void CheckPassed(const Graph& g, const Node& n, std::string_view attr, int first, int outputs) {
    const Graph* callee = Callee(n, attr);
    if (!callee) return;
    const int given = n.num_inputs() - first, taken = static_cast<int>(callee->inputs().size()),
              returned = callee->net_output()->num_inputs();
    if (given != taken) Report("V15", &g, &n, StrCat("passes ", given, " values to @", callee->name(), ", which takes ", taken));
    if (outputs >= 0 && returned != outputs)
      Report("V15", &g, &n, StrCat("takes ", outputs, " results of @", callee->name(), ", which returns ", returned));
    for (int i = 0; i < std::min(given, taken); ++i) {
      const Value* v = n.input(first + i);
      if (v && !CompatibleType(callee->inputs()[static_cast<size_t>(i)]->output()->type(), v->type()))
        Report("V15", &g, &n,
               StrCat("passes ", ToString(v->type()), " as parameter ", i, " of @", callee->name(), ", which takes ",
                      ToString(callee->inputs()[static_cast<size_t>(i)]->output()->type())));
    }
  }

  // V15: calls agree with the subgraph's parameters and results.
  void CheckCall(const Graph& g, const Node& n) {
    if (n.Is("If")) {
      CheckPassed(g, n, "then_branch", 1, n.num_outputs());
      CheckPassed(g, n, "else_branch", 1, n.num_outputs());
    } else if (n.Is("While")) {
      const int carried = static_cast<int>(n.Int("num_carried"));
      if (carried < 0 || carried > n.num_inputs() || carried != n.num_outputs())
        return Report("V15", &g, &n,
                      StrCat("num_carried is ", carried, " with ", n.num_inputs(), " inputs and ", n.num_outputs(), " results"));
      CheckPassed(g, n, "cond", 0, 1);
      CheckPassed(g, n, "body", 0, carried);
    } else if (n.Is("PartitionedCall")) {
      CheckPassed(g, n, "f", 0, n.num_outputs());
    } else if (n.Is("FusedRegion")) {
      CheckPassed(g, n, "body", 0, n.num_outputs());
    }
  }

  // V14: a node after the write that reads the written memory under its old name would see the new value. The write
  // itself, later writes and NetOutput (which returns the buffer, not a snapshot) may name it.
  void CheckMutation(const Graph& g, const Node& write) {
    const Value* root = write.num_inputs() ? write.input(0) : nullptr;
    while (root && root->producer()->op().Has(kView) && !WritesOperand0(*root->producer()) && root->producer()->num_inputs() &&
           root->producer()->input(0))
      root = root->producer()->input(0);
    if (!root) return;
    const int64_t at = position_.at(&write);
    std::vector<const Value*> aliases = {root};
    std::set<const Value*> seen = {root};  // membership only
    for (size_t k = 0; k < aliases.size(); ++k) {
      for (const Use& use : aliases[k]->uses()) {
        auto it = position_.find(use.user);
        if (it == position_.end() || use.user == &write) continue;
        const OpDef& op = use.user->op();
        if (it->second > at) {
          const bool rewrites = WritesOperand0(*use.user) && use.index == 0;
          if (!rewrites && use.user != g.net_output())
            Report("V14", &g, &write,
                   StrCat("'", use.user->name(), "' reads '", aliases[k]->producer()->name(),
                          "' after it is overwritten; it must come before the write, or read the write's result"));
        } else if (op.Has(kView) && !WritesOperand0(*use.user) && use.index == 0) {
          for (int i = 0; i < use.user->num_outputs(); ++i)
            if (seen.insert(use.user->output(i)).second) aliases.push_back(use.user->output(i));
        }
      }
    }
  }

  // V07, V08
  void CheckSkeleton(const Graph& g) {
    int outputs = 0;
    const Node* last = nullptr;
    std::vector<const Node*> data;
    for (Node* n : g.nodes()) {
      outputs += n->Is("NetOutput");
      if (n->Is("Data")) {
        if (n->Int("index") != static_cast<int64_t>(data.size()))
          Report("V08", &g, n, StrCat("index is ", n->Int("index"), ", expected ", data.size()));
        data.push_back(n);
      }
      last = n;
    }
    if (outputs != 1 || !g.net_output() || last != g.net_output())
      Report("V07", &g, nullptr,
             StrCat("expected exactly one NetOutput, the last node; found ", outputs, outputs == 1 ? ", not last" : ""));
    if (!std::equal(data.begin(), data.end(), g.inputs().begin(), g.inputs().end()))
      Report("V08", &g, nullptr, "the list of inputs is not the list of Data nodes");
  }

  // V15: no graph calls itself, directly or through others.
  void CheckCallCycles() {
    std::map<const Graph*, int> state;  // 1 on the stack, 2 done
    for (const auto& root : module_.graphs()) {
      std::vector<std::pair<const Graph*, size_t>> stack;
      if (state[root.get()] == 0) stack.emplace_back(root.get(), 0), state[root.get()] = 1;
      while (!stack.empty()) {
        auto& [g, next] = stack.back();
        const auto& callees = calls_[g];
        if (next == callees.size()) {
          state[g] = 2;
          stack.pop_back();
          continue;
        }
        const Graph* callee = callees[next++];
        if (state[callee] == 1)
          Report("V15", g, nullptr, StrCat("calls @", callee->name(), ", which calls it in turn"));
        else if (state[callee] == 0)
          state[callee] = 1, stack.emplace_back(callee, 0);
      }
    }
  }

  const Module& module_;
  std::vector<std::string> violations_;
  std::unordered_map<const Node*, int64_t> position_;        // look-up only
  std::map<const Graph*, std::vector<const Graph*>> calls_;  // look-up only
};

}  // namespace

Status Verify(const Module& module) { return Verifier(module).Run(); }

Status CheckType(const ValueType& type) {
  if (!type.IsTensor()) return {};
  if (type.rank() > kMaxRank)
    return InvalidArgument(StrCat("a shape of rank ", type.rank(), "; at most ", kMaxRank, " dims are supported"));
  for (const Dim& d : type.shape())
    if (d.IsConst() && d.value() < 0) return InvalidArgument(StrCat("negative dim in ", ToString(type)));
  if (type.layout.kind == StorageLayout::Kind::kStrided) {
    if (type.layout.strides.size() != type.shape().size())
      return InvalidArgument(
          StrCat("the layout of ", ToString(type), " has ", type.layout.strides.size(), " strides for ", type.rank(), " dims"));
    for (const Dim& s : type.layout.strides)
      if (s.IsConst() && s.value() < 0) return InvalidArgument(StrCat("negative stride in ", ToString(type)));
  }
  if (type.IsStatic()) {
    const Dim n = type.NumElements();
    if (!n.IsConst() || n.value() > (INT64_MAX >> 4) / static_cast<int64_t>(SizeOf(type.dtype())))
      return InvalidArgument(StrCat("the size of ", ToString(type), " does not fit 60 bits"));
  }
  return {};
}

}  // namespace ge
