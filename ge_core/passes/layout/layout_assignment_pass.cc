#include "ge_core/passes/layout/layout_assignment_pass.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

#include "ge_core/ir/fused_region.h"
#include "ge_core/passes/alias_info.h"
#include "ge_core/passes/constant_stage.h"
#include "ge_core/passes/pass_context.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// The layout says something else than row-major order: more than one axis of more than one element changes places.
bool Differs(const ValueType& type) {
  int64_t spatial = 1;
  for (size_t i = 2; i < type.shape().size(); ++i) spatial *= type.shape()[i].value();
  return spatial > 1 && !type.shape()[1].Is(1);
}

bool Eligible(const ValueType& type) {
  return type.IsTensor() && type.rank() >= 3 && type.rank() <= 5 && type.IsStatic() && type.placement == ValueType::Placement::kDevice &&
         type.layout.kind == StorageLayout::Kind::kContiguous && type.StaticNumElements() > 0;
}

// Operand `value` of a follower is walked like its output, not broadcast.
bool Tied(const ValueType& value, const ValueType& out) { return value.IsTensor() && value.shape().size() == out.shape().size(); }

class Assignment {
 public:
  Assignment(Graph& graph, const EngineList& engines) : graph_(graph), engines_(engines), stage_(graph), aliases_(graph) {
    groups_.resize(static_cast<size_t>(graph.value_bound()));
    std::iota(groups_.begin(), groups_.end(), 0);
  }

  Result<bool> Run() {
    for (Node* n : graph_.nodes()) Read(*n);
    if (wishes_.empty() || !graph_.net_output()) return false;
    Weigh();
    return Apply();
  }

 private:
  struct Wish {
    Node* node;
    int input;  // -1: output 0
    Value* value;
  };
  // What a group would save and cost, in bytes of reorders.
  struct Balance {
    int64_t saved = 0, cost = 0;
    bool chosen() const { return saved > 0 && saved >= cost; }
  };

  int Find(int v) {
    auto at = [this](int i) -> int& { return groups_[static_cast<size_t>(i)]; };
    while (at(v) != v) v = at(v) = at(at(v));
    return v;
  }
  int Group(const Value& v) { return Find(v.id()); }
  void Unite(const Value& a, const Value& b) {
    const int x = Group(a), y = Group(b);
    if (x != y) groups_[static_cast<size_t>(std::max(x, y))] = std::min(x, y);
  }

  // The layout of what the node writes may be chosen: its results follow its operands, or its engine wishes.
  enum class Role : uint8_t { kFixed, kFollows, kWishes };
  Role RoleOf(const Node& n) const {
    auto it = roles_.find(&n);
    return it == roles_.end() ? Role::kFixed : it->second;
  }

  void Read(Node& n) {
    if (n.op().Has(kSkeleton) || !n.pure() || n.num_outputs() < 1 || !Eligible(n.output()->type()) || !stage_.AtCall(n)) return;
    if (n.op().Has(kElementwise)) {
      // A broadcast operand of full rank ([1,C,1,1]) is read by strides as it lies.
      roles_[&n] = Role::kFollows;
      for (Value* v : n.inputs())
        if (v && v->type().IsTensor() && v->type().shape() == n.output()->type().shape()) Unite(*n.output(), *v);
      return;
    }
    if (n.op().Has(kFollowsLayout)) {
      const ValueType& out = n.output()->type();
      if (out.rank() < 4 || !n.input(0) || n.input(0)->type().rank() != out.rank()) return;
      roles_[&n] = Role::kFollows;
      for (Value* v : n.inputs())
        if (v && Tied(v->type(), out)) Unite(*n.output(), *v);
      for (int i = 1; i < n.num_outputs(); ++i)
        if (Tied(n.output(i)->type(), out)) Unite(*n.output(), *n.output(i));
      return;
    }
    const Engine* engine = nullptr;
    for (const Engine* e : engines_) {
      if (e->Supports(n).ok) {
        engine = e;
        break;
      }
    }
    if (!engine) return;
    for (const LayoutPreference& wish : engine->Preferences(n)) {
      const bool output = wish.side == LayoutPreference::Side::kOutput;
      Value* v = output ? n.output(wish.operand) : n.input(wish.operand);
      if (v->type().layout == wish.layout || wish.layout != ChannelsLast(v->type().shape())) continue;
      roles_[&n] = Role::kWishes;
      wishes_.push_back({&n, output ? -1 : wish.operand, v});
    }
  }

  // True if `use` reads its value in whatever layout the value's group has.
  bool Flexible(const Use& use) {
    switch (RoleOf(*use.user)) {
      case Role::kFixed: return false;
      case Role::kFollows: return true;
      case Role::kWishes: return std::ranges::any_of(wishes_of_[use.user], [&](const Wish* w) { return w->input == use.index; });
    }
    return false;
  }

  // A value whose own memory may take the layout; any other is copied for the readers that want it.
  bool Changeable(const Value& v) {
    switch (RoleOf(*v.producer())) {
      case Role::kFixed: return false;
      case Role::kFollows: return true;
      case Role::kWishes:
        return std::ranges::any_of(wishes_of_[v.producer()], [&](const Wish* w) { return w->input < 0 && w->value == &v; });
    }
    return false;
  }

  void Weigh() {
    for (const Wish& w : wishes_) wishes_of_[w.node].push_back(&w);
    for (const Wish& w : wishes_)
      if (Differs(w.value->type())) balance_[Group(*w.value)].saved += w.value->type().StaticBytes();
    for (Node* n : graph_.nodes())
      for (int i = 0; i < n->num_outputs(); ++i) {
        const Value& v = *n->output(i);
        auto it = balance_.find(Group(v));
        if (it == balance_.end()) continue;
        // One that cannot be reordered, or that a node writes in place, keeps the whole group as it is.
        if (!Eligible(v.type()) || (Changeable(v) && aliases_.MayBeWritten(&v))) it->second.cost = kNever;
        if (it->second.cost == kNever || !Differs(v.type())) continue;
        const bool fixed_reader = std::ranges::any_of(v.uses(), [&](const Use& use) { return !Flexible(use); });
        // A constant operand is reordered once a weight set, not at each call.
        const bool free = stage_.Known(*n);
        const bool copied = Changeable(v) ? fixed_reader : std::ranges::any_of(v.uses(), [&](const Use& use) { return Flexible(use); });
        if (copied && !CanCopy(*n->output(i)))
          it->second.cost = kNever;
        else if (copied && !free)
          it->second.cost += v.type().StaticBytes();
      }
  }

  // Some engine makes such a copy. Asked once a dtype.
  bool CanCopy(Value& v) {
    const auto [it, fresh] = can_copy_.emplace(v.type().dtype(), false);
    if (!fresh) return it->second;
    Result<Value*> probe = Copy(v, ChannelsLast(v.type().shape()), graph_.net_output());
    if (!probe.ok()) return false;
    Node* node = (*probe)->producer();
    it->second = std::ranges::any_of(engines_, [&](const Engine* e) { return e->Supports(*node).ok; });
    GE_CHECK(graph_.Erase(node).ok(), "a node without users is refused");
    return it->second;
  }

  Result<Value*> Copy(Value& from, StorageLayout layout, Node* before) {
    ValueType type = from.type();
    type.layout = std::move(layout);
    GE_ASSIGN_OR_RETURN(Node* const node, graph_.Create({.op = "TransData",
                                                         .inputs = {&from},
                                                         .attrs = {},
                                                         .name = {},
                                                         .loc = before->loc().empty() ? from.producer()->loc() : before->loc(),
                                                         .types = {std::move(type)},
                                                         .after = {}},
                                                        before));
    return node->output();
  }

  Result<bool> Apply() {
    bool changed = false;
    for (Node* n : graph_.NodeList())
      for (int i = 0; i < n->num_outputs(); ++i) {
        Value& v = *n->output(i);
        auto it = balance_.find(Group(v));
        if (it == balance_.end() || !it->second.chosen() || !Eligible(v.type())) continue;
        const std::vector<Use> uses(v.uses().begin(), v.uses().end());
        StorageLayout layout = ChannelsLast(v.type().shape());
        if (!Differs(v.type())) continue;  // the same order either way
        const bool own = Changeable(v);
        if (own) {
          ValueType type = v.type();
          type.layout = std::move(layout);
          graph_.SetType(&v, std::move(type));
          changed = true;
        }
        // Readers of the other kind share one copy, made where the first of them needs it.
        std::vector<Use> others;
        for (const Use& use : uses)
          if (Flexible(use) != own) others.push_back(use);
        if (others.empty()) continue;
        Node* first = std::ranges::min_element(others, [](const Use& a, const Use& b) { return a.user->Before(*b.user); })->user;
        GE_ASSIGN_OR_RETURN(Value* const copy, Copy(v, own ? StorageLayout{} : ChannelsLast(v.type().shape()), first));
        for (const Use& use : others) GE_RETURN_IF_ERROR(graph_.SetInput(use.user, use.index, copy));
        changed = true;
      }
    return changed;
  }

  static constexpr int64_t kNever = int64_t{1} << 60;
  Graph& graph_;
  const EngineList& engines_;
  const ConstantStage stage_;
  const AliasInfo aliases_;
  std::vector<int> groups_;                                              // union-find by Value::id()
  std::unordered_map<const Node*, Role> roles_;                          // looked up only
  std::unordered_map<const Node*, std::vector<const Wish*>> wishes_of_;  // looked up only
  std::unordered_map<int, Balance> balance_;                             // looked up only
  std::map<DType, bool> can_copy_;
  std::vector<Wish> wishes_;
};

}  // namespace

REG_PASS_OPTION(LayoutAssignmentPass)
    .Name("layout-assignment")
    .Doc("Activations take the storage layout that the engines of their products like best, where that saves reorders.")
    .Levels(OptLevel::kO2)
    .Graph([](const PassContext& c) -> std::unique_ptr<GraphPass> {
      if (c.engines.empty()) return nullptr;
      return std::make_unique<LayoutAssignmentPass>(c.engines);
    });

Result<bool> LayoutAssignmentPass::Run(Graph& graph) {
  if (!graph.ops().Find("TransData") || IsRegionBody(graph)) return false;
  return Assignment(graph, engines_).Run();
}

}  // namespace ge
