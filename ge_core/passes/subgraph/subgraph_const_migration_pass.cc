#include "ge_core/passes/subgraph/subgraph_const_migration_pass.h"

#include <algorithm>

#include "ge_core/passes/pass_def.h"
#include "ge_core/passes/rewriter.h"
#include "ge_core/passes/subgraph/call_families.h"
#include "ge_core/passes/subgraph/inline.h"
#include "ge_core/passes/subgraph/predicate.h"

namespace ge {
namespace {

// A copy for every subgraph: what is large is not worth it. Bytes.
constexpr int64_t kMaxBytes = int64_t{1} << 20;

// The constant that every caller of `family` passes as parameter i; null if there is none.
const Node* CommonConstant(const CallFamily& family, int i, std::vector<std::unique_ptr<AliasInfo>>& infos) {
  const Node* first = nullptr;
  for (const Node* call : family.callers) {
    const Value* v = call->input(FirstArgument(*call) + i);
    const Tensor* t = v ? v->producer()->const_value() : nullptr;
    if (!t || !t->defined() || !v->type().IsTensor()) return nullptr;
    if (first && !(*t == *first->const_value() && v->type() == first->output()->type())) return nullptr;
    if (!first && family.graphs.size() > 1 && v->type().StaticBytes() > kMaxBytes) return nullptr;
    Graph& graph = call->graph();
    auto it = std::find_if(infos.begin(), infos.end(), [&](const auto& info) { return &info->graph() == &graph; });
    if (it == infos.end()) it = infos.insert(infos.end(), std::make_unique<AliasInfo>(graph));
    if (MayBeWrittenByOthers(*v, *call, **it)) return nullptr;
    first = v->producer();
  }
  return first;
}

bool FitsParameter(const ValueType& constant, const ValueType& parameter) {
  if (!parameter.IsTensor() || parameter.dtype() != constant.dtype() || !(parameter.layout == constant.layout)) return false;
  return parameter.shape() == constant.shape();
}

// Nobody outside can tell the parameter from a constant of the subgraph: it is neither written nor returned there. A
// turn of a loop may hand it on as the carried value `carried` (-1: none).
bool MayBecomeConst(const Value& parameter, int carried, const AliasInfo& aliases) {
  if (aliases.MayBeWritten(&parameter)) return false;
  for (const Use& use : parameter.uses()) {
    const Node& user = *use.user;
    if (user.Is("NetOutput")) {
      if (use.index != carried) return false;
    } else if (AliasInfo::MayAliasInput(user, use.index)) {
      for (int o = 0; o < user.num_outputs(); ++o)
        if (aliases.Escapes(user.output(o))) return false;
    }
  }
  return true;
}

}  // namespace

REG_PASS_OPTION(SubgraphConstMigrationPass)
    .Name("subgraph-const-migration")
    .Doc("Makes constants that are passed to subgraphs inside them.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.constantFolding")
    .Make<SubgraphConstMigrationPass>();

Result<bool> SubgraphConstMigrationPass::Run(Graph& graph) {
  Module& module = graph.module();
  if (&graph != &module.entry() || module.graphs().size() == 1) return false;
  bool changed = false;
  std::vector<CallFamily> families = CallFamilies(module);
  for (CallFamily& family : families) {  // a node is in one family: making its calls anew leaves the others alone
    if (!family.known) continue;
    const Node& call = *family.callers.front();
    const bool loop = call.Is("While");
    const Graph* body = loop ? Callee(call, "body") : nullptr;
    const int carried = loop ? static_cast<int>(call.Int("num_carried")) : 0;
    std::vector<std::unique_ptr<AliasInfo>> callers, callees;  // made when first asked
    std::vector<int> parameters, results;
    for (int i = 0; i < static_cast<int>(family.num_parameters()); ++i) {
      // What several loops carry would have to be a result of none of them.
      bool is_carried = false;
      for (const Node* c : family.callers) is_carried |= c->Is("While") && i < static_cast<int>(c->Int("num_carried"));
      if (is_carried && (family.callers.size() != 1 || family.graphs.size() != 2 || i >= carried ||
                         body->net_output()->input(i) != body->inputs()[static_cast<size_t>(i)]->output()))
        continue;
      const Node* constant = CommonConstant(family, i, callers);
      if (!constant) continue;
      if (callees.empty())
        for (Graph* g : family.graphs) callees.push_back(std::make_unique<AliasInfo>(*g));
      bool fits = true;
      for (size_t g = 0; g < family.graphs.size(); ++g) {
        const Node& data = *family.graphs[g]->inputs()[static_cast<size_t>(i)];
        fits = fits && FitsParameter(constant->output()->type(), data.output()->type()) && data.control_outputs().empty() &&
               MayBecomeConst(*data.output(), is_carried && family.graphs[g] == body ? i : -1, *callees[g]);
      }
      if (!fits) continue;
      if (is_carried && !call.output(i)->unused()) {
        // The result is the constant, in memory of its own.
        Graph& outer = call.graph();
        Value* result = call.output(i);
        GE_ASSIGN_OR_RETURN(Node* const copy, outer.Create({.op = "TensorMove",
                                                            .inputs = {constant->output()},
                                                            .attrs = {},
                                                            .name = call.name(),
                                                            .loc = call.loc(),
                                                            .types = {constant->output()->type()},
                                                            .after = call.control_inputs()},
                                                           call.next()));
        if (!SameLogicalType(result->type(), copy->output()->type())) outer.SetType(result, copy->output()->type());
        GE_RETURN_IF_ERROR(outer.ReplaceAllUses(result, copy->output()));
      }
      for (Graph* g : family.graphs) {
        Node* data = g->inputs()[static_cast<size_t>(i)];
        if (data->unused()) continue;
        Node* made = g->CreateConst(*constant->const_value(), data->next(), data->name());
        g->SetType(made->output(), data->output()->type());
        GE_RETURN_IF_ERROR(g->ReplaceAllUses(data->output(), made->output()));
      }
      parameters.push_back(i);
      if (is_carried) results.push_back(i);
    }
    if (parameters.empty()) continue;
    GE_RETURN_IF_ERROR(Shrink(family, parameters, results));
    changed = true;
  }
  return changed;
}

}  // namespace ge
