#include "ge_core/passes/fold/constant_folding_pass.h"

#include <algorithm>
#include <chrono>

#include "ge_core/base/str.h"
#include "ge_core/passes/change_log.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// MemoryPriority: up to so many elements a constant may be copied freely (seed 000 section 4.3.1).
constexpr int64_t kSmallConstant = 8;

std::unique_ptr<NodePass> Make(const PassContext& c) {
  if (!c.evaluator) return nullptr;
  return std::make_unique<ConstantFoldingPass>(c);
}

}  // namespace

REG_PASS_OPTION(ConstantFoldingPass)
    .Name("constant-folding")
    .Alias("fold")
    .Doc("Computes pure nodes whose operands are all constants.")
    .Levels(OptLevel::kO1)
    .SwitchOpt("ge.oo.constantFolding")
    .Node(&Make);

std::string ConstantFoldingPass::Refusal(const Node& node, const Rewriter& rewriter, bool* potential) const {
  int64_t operand_bytes = 0;
  *potential = false;
  const OpDef& op = node.op();
  if (op.Has(kRandom)) return "draws random numbers";
  if (!node.pure()) return "has effects";
  if (op.Has(kNoFold)) return StrCat(op.name, " is never folded");
  if (std::string kept = KeptByUser(node, context_.fold); !kept.empty()) return kept;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const Value* in = node.input(i);
    if (!in) continue;
    const Node& producer = *in->producer();
    const Tensor* value = producer.const_value();
    if (!value && context_.potential_consts) {
      value = context_.potential_consts->Value(in);
      *potential |= value != nullptr;
    }
    if (!value) return StrCat("input ", i, " ('", producer.name(), "') is not a constant");
    if (!value->defined()) return StrCat("input ", i, " ('", producer.name(), "') is a constant without data in this file");
    if (rewriter.aliases().MayBeWritten(in)) return StrCat("input ", i, " ('", producer.name(), "') may be written by another node");
    operand_bytes += static_cast<int64_t>(value->bytes().size());
    if (context_.fold.memory_priority && value->num_elements() > kSmallConstant && in->uses().size() > 1)
      return StrCat("input ", i, " ('", producer.name(), "') is large and has other readers, and memory has priority");
  }
  if (std::string why = WhyNotConstant(node, rewriter.aliases()); !why.empty()) return why;
  int64_t result_bytes = 0;
  for (int o = 0; o < node.num_outputs(); ++o)
    if (__builtin_add_overflow(result_bytes, SaturatedBytes(node.output(o)->type()), &result_bytes)) result_bytes = INT64_MAX;
  const bool generated = node.num_inputs() == 0;
  const int64_t limit = generated ? context_.fold.max_generated_bytes : std::max(context_.fold.max_growth_bytes, operand_bytes);
  if (result_bytes > limit)
    return StrCat("the result of ", result_bytes, " bytes is over the limit of ", limit, " (",
                  generated ? "ge.fold.maxGeneratedBytes" : "ge.fold.maxBytes", ")");
  return {};
}

std::string ConstantFoldingPass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  bool potential = false;
  if (std::string why = Refusal(node, rewriter, &potential); !why.empty()) return why;
  if (context_.fold_report) {
    auto it = context_.fold_report->failures.find(ChangeLog::Key(node.graph().name(), node.name()));
    if (it != context_.fold_report->failures.end()) return it->second;
  }
  return node.unused() ? "is not used" : std::string();
}

Result<bool> ConstantFoldingPass::Run(Node& node, Rewriter& rewriter) {
  for (const Value* in : node.inputs())  // most nodes end here, before any message is built
    if (in && !in->producer()->const_value() && !(context_.potential_consts && context_.potential_consts->Value(in))) return false;
  if (node.unused()) return false;  // dead code elimination takes it
  bool potential = false;
  if (!Refusal(node, rewriter, &potential).empty()) return false;
  if (potential && context_.potential_consts->Find(node)) return false;

  std::vector<const Tensor*> inputs;
  for (const Value* in : node.inputs())
    inputs.push_back(!in ? nullptr : context_.potential_consts ? context_.potential_consts->Value(in) : in->producer()->const_value());
  const auto start = std::chrono::steady_clock::now();
  Result<HostCpuEngine::Evaluation> value = context_.evaluator->Run(node, inputs);
  if (!value.ok()) {
    if (context_.fold_report)
      context_.fold_report->failures.insert_or_assign(ChangeLog::Key(node.graph().name(), node.name()),
                                                      StrCat("cannot be computed now: ", value.message()));
    return false;
  }
  if (context_.fold_report) {
    FoldReport::PerKernel& k = context_.fold_report->kernels[{static_cast<int>(value->level), std::string(node.op().name)}];
    ++k.count;
    k.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  if (potential) {
    context_.potential_consts->SetAll(node, name(), std::move(value->outputs));
    return false;  // a mark is no change of the graph
  }
  const std::string name = node.name();
  GE_RETURN_IF_ERROR(Fold(node, value->outputs, rewriter).Annotate(StrCat("while folding node '", name, "'")));
  return true;
}

}  // namespace ge
