#include "ge_core/passes/fold/potential_const_taken_effect_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/change_log.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

std::unique_ptr<NodePass> Make(const PassContext& c) {
  if (!c.potential_consts) return nullptr;
  return std::make_unique<PotentialConstTakenEffectPass>(c);
}

}  // namespace

REG_PASS_OPTION(PotentialConstTakenEffectPass)
    .Name("potential-const-taken-effect")
    .Alias("ConvertPotentialConstantToOfficialPass")
    .Doc("Turns potential constants into constants at the end of a group of passes.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.constantFolding")
    .Node(&Make);

Result<bool> PotentialConstTakenEffectPass::Finish(Graph& graph, Rewriter& rewriter) {
  bool changed = false;
  for (Node* node : context_.potential_consts->Marked(graph)) {
    const PotentialConsts::Mark mark = *context_.potential_consts->Find(*node);
    context_.potential_consts->Erase(*node);
    const std::string key = ChangeLog::Key(graph.name(), node->name());
    std::string why = KeptByUser(*node, context_.fold);
    if (why.empty() && (mark.values.size() != mark.outputs.size() || mark.outputs.empty()))
      why = StrCat("was marked as a potential constant by ", mark.owner.empty() ? "an unknown pass" : mark.owner,
                   ", but its value is missing");
    // What held when the mark was set may hold no longer: another node may write or return the memory by now.
    if (why.empty()) why = WhyNotConstant(*node, rewriter.aliases());
    if (!why.empty()) {
      if (context_.fold_report) context_.fold_report->failures.insert_or_assign(key, std::move(why));
      continue;
    }
    bool read = false;
    for (int o : mark.outputs) read |= !node->output(o)->unused();
    if (!read) continue;
    GE_RETURN_IF_ERROR(Fold(*node, mark.outputs, mark.values, rewriter).Annotate(StrCat("while folding '", key, "'")));
    changed = true;
  }
  return changed;
}

}  // namespace ge
