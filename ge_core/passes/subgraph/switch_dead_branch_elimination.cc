#include "ge_core/passes/subgraph/switch_dead_branch_elimination.h"

#include <algorithm>
#include <map>
#include <unordered_set>

#include "ge_core/base/str.h"
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_def.h"
#include "ge_core/passes/subgraph/inline.h"
#include "ge_core/passes/subgraph/merge_pass.h"
#include "ge_core/passes/subgraph/predicate.h"

namespace ge {
namespace {

constexpr std::string_view kAnchors[] = {"Switch", "RefSwitch"};

std::unique_ptr<NodePass> Make(const PassContext& c) { return std::make_unique<SwitchDeadBranchElimination>(c); }

// What never runs once one output of a Switch is never computed.
struct DeadBranch {
  std::vector<Node*> nodes;              // in list order
  std::map<int, Node*> merges;           // by Node::id(): live nodes with a dead operand
  std::unordered_set<const Node*> dead;  // looked up only
  std::string refusal;

  bool IsDead(const Value& v, const Value& root) const { return &v == &root || dead.contains(v.producer()); }
};

DeadBranch Follow(Node& start, Value& root) {
  DeadBranch b;
  std::vector<Node*> todo;
  const auto kill = [&](Node* n) {
    if (b.dead.insert(n).second) todo.push_back(n), b.nodes.push_back(n);
  };
  const auto reach = [&](Node* user) {
    if (user == &start || user->Is("NetOutput")) {
      b.refusal = StrCat("result ", root.index(), ", which is never computed, leads to a result of the graph");
    } else if (user->Is("Merge")) {
      const auto& in = user->inputs();
      if (std::all_of(in.begin(), in.end(), [&](const Value* v) { return b.IsDead(*v, root); })) {
        b.merges.erase(user->id());
        kill(user);
      } else {
        b.merges.emplace(user->id(), user);
      }
    } else {
      kill(user);
    }
  };
  for (const Use& use : root.uses()) reach(use.user);
  while (!todo.empty() && b.refusal.empty()) {
    Node* n = todo.back();
    todo.pop_back();
    for (int o = 0; o < n->num_outputs(); ++o)
      for (const Use& use : n->output(o)->uses()) reach(use.user);
    // What waits for a node that never runs never runs; a Merge waits for one operand only.
    for (Node* c : n->control_outputs())
      if (!c->Is("Merge")) reach(c);
  }
  std::sort(b.nodes.begin(), b.nodes.end(), [](const Node* x, const Node* y) { return x->Before(*y); });
  for (const auto& [id, merge] : b.merges) {
    if (!b.refusal.empty()) break;
    int live = 0;
    for (const Value* v : merge->inputs()) live += !b.IsDead(*v, root);
    if (live > 1 && !merge->output(1)->unused())
      b.refusal = StrCat("'", merge->name(), "' keeps several operands, and their positions are read");
  }
  return b;
}

std::string Refusal(const Node& node, const Rewriter& rewriter, const FoldOptions& options, std::optional<bool>* predicate) {
  *predicate = ConstPredicate(node.input(1), node, rewriter.aliases());
  if (!*predicate) return StrCat("its predicate ('", node.input(1)->producer()->name(), "') is not a constant");
  if (std::string kept = KeptByUser(node, options); !kept.empty()) return kept;
  return {};
}

}  // namespace

REG_PASS_OPTION(SwitchDeadBranchElimination)
    .Name("switch-dead-branch-elimination")
    .Doc("Removes the branch of a Switch with a constant predicate that never runs.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.deadCodeElimination")
    .Node(&Make);

std::span<const std::string_view> SwitchDeadBranchElimination::anchors() const { return kAnchors; }

std::string SwitchDeadBranchElimination::WhyNot(const Node& node, const Rewriter& rewriter) const {
  if (!node.Is("Switch") && !node.Is("RefSwitch")) return {};
  std::optional<bool> predicate;
  if (std::string why = Refusal(node, rewriter, context_.fold, &predicate); !why.empty()) return why;
  // Following the branch needs mutable pointers, and changes nothing.
  return Follow(const_cast<Node&>(node), *node.output(*predicate ? 0 : 1)).refusal;
}

Result<bool> SwitchDeadBranchElimination::Run(Node& node, Rewriter& rewriter) {
  if (!node.input(1)->producer()->const_value()) return false;
  std::optional<bool> predicate;
  if (!Refusal(node, rewriter, context_.fold, &predicate).empty()) return false;
  Value &dead = *node.output(*predicate ? 0 : 1), &live = *node.output(*predicate ? 1 : 0);
  const DeadBranch branch = Follow(node, dead);
  if (!branch.refusal.empty()) return false;
  Graph& graph = rewriter.graph();
  for (const auto& [id, merge] : branch.merges) {
    std::vector<int> keep;
    for (int i = 0; i < merge->num_inputs(); ++i)
      if (!branch.IsDead(*merge->input(i), dead)) keep.push_back(i);
    GE_RETURN_IF_ERROR(NarrowMerge(*merge, keep, rewriter));
  }
  for (auto it = branch.nodes.rbegin(); it != branch.nodes.rend(); ++it) {
    for (Node* c : std::vector<Node*>((*it)->control_outputs())) graph.RemoveControlEdge(*it, c);
    GE_RETURN_IF_ERROR(graph.Erase(*it));
  }
  GE_RETURN_IF_ERROR(PassOn(live, *node.input(0), node));
  GE_RETURN_IF_ERROR(EraseBridging(node));
  return true;
}

}  // namespace ge
