#include "ge_core/passes/cleanup/assign_remove_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// How many nodes may lie between two writes: looking at them must stay cheap.
constexpr int kMaxBetween = 256;

// `value` is `ref` under another name.
bool IsSameTensor(const Value* value, const Value* ref) {
  while (value != ref && value->producer()->Is("Identity")) value = value->producer()->input(0);
  return value == ref;
}

// Why writing `node`'s value is seen by somebody; empty if the write may go as long as its users read the ref instead.
std::string WhyNotOntoItself(const Node& node) {
  const Value* ref = node.input(0);
  for (const Use& use : ref->uses())
    if (use.user != &node && (AliasInfo::MayWriteInput(*use.user, use.index) || AliasInfo::MayAliasInput(*use.user, use.index)) &&
        !(use.user->Is("Identity") && use.user->output()->uses().size() == 1 && use.user->output() == node.input(1)))
      return StrCat("'", use.user->name(), "' may write the same memory");
  for (const Use& use : node.output()->uses())
    if (use.user == node.graph().net_output()) return "its result is a result of the graph";
  return {};
}

}  // namespace

REG_PASS_OPTION(AssignRemovePass)
    .Name("assign-remove")
    .Doc("Removes writes of a value onto itself, and writes that the next write covers.")
    .Levels(OptLevel::kO1)
    .Make<AssignRemovePass>();

std::span<const std::string_view> AssignRemovePass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"Assign"};
  return kAnchors;
}

AssignRemovePass::Decision AssignRemovePass::Decide(const Node& node) const {
  const auto no = [](std::string why) { return Decision{false, nullptr, std::move(why)}; };
  if (std::string kept = KeptByUser(node, {}); !kept.empty()) return no(std::move(kept));
  const Value *ref = node.input(0), *written = node.output();
  if (IsSameTensor(node.input(1), ref)) {
    if (std::string why = WhyNotOntoItself(node); !why.empty()) return no(std::move(why));
    return {true, nullptr, {}};
  }
  if (!ref->producer()->Is("Data")) return no("it writes into what is not a graph input by itself");

  // The next write names either this one's result or the input.
  Node* later = nullptr;
  if (written->uses().size() == 1 && written->uses()[0].user->Is("Assign") && written->uses()[0].index == 0)
    later = written->uses()[0].user;
  if (!written->unused() && !later) return no("its result is read");
  for (const Use& use : ref->uses()) {
    Node& user = *use.user;
    if (&user == &node || use.user == node.graph().net_output()) continue;
    const bool writes = user.Is("Assign") && use.index == 0;
    if (writes && node.Before(user) && (!later || user.Before(*later))) {
      if (!written->unused()) return no(StrCat("'", user.name(), "' writes the same input"));
      later = &user;
    } else if (!writes && (AliasInfo::MayAliasInput(user, use.index) || !user.pure())) {
      return no(StrCat("'", user.name(), "' may hold the same memory"));
    }
  }
  if (!later) return no("no later write covers it");
  for (const Node* after : node.control_outputs())
    if (after != later) return no(StrCat("'", after->name(), "' waits for it"));
  int between = 0;
  for (const Node* n = node.next(); n != later; n = n->next()) {
    if (++between > kMaxBetween) return no("the write that covers it is far away");
    if (!n->pure() && !n->op().Has(kRandom) && !n->Is("Assign"))
      return no(StrCat("'", n->name(), "', which has effects, comes before the write that covers it"));
  }
  return {false, later, {}};
}

std::string AssignRemovePass::WhyNot(const Node& node, const Rewriter&) const {
  return node.Is("Assign") ? Decide(node).why_not : std::string();
}

Result<bool> AssignRemovePass::Run(Node& node, Rewriter& rewriter) {
  const Decision found = Decide(node);
  Graph& graph = rewriter.graph();
  if (found.onto_itself) {
    for (Node* first : node.control_inputs())
      for (const Use& use : node.output()->uses()) GE_RETURN_IF_ERROR(graph.AddControlEdge(first, use.user));
    GE_RETURN_IF_ERROR(graph.ReplaceAllUses(node.output(), node.input(0)));
    GE_RETURN_IF_ERROR(rewriter.EraseWithOrphans(node));
    return true;
  }
  if (!found.later) return false;
  for (Node* first : node.control_inputs()) GE_RETURN_IF_ERROR(graph.AddControlEdge(first, found.later));
  GE_RETURN_IF_ERROR(graph.ReplaceAllUses(node.output(), node.input(0)));
  GE_RETURN_IF_ERROR(rewriter.EraseWithOrphans(node));
  return true;
}

}  // namespace ge
