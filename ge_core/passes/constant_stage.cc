#include "ge_core/passes/constant_stage.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/passes/alias_info.h"
#include "ge_core/passes/fold/folding_pass.h"
#include "ge_core/passes/rewriter.h"

namespace ge {
namespace {

bool IsStaticTensor(const ValueType& type) { return type.IsTensor() && type.IsStatic(); }

// Bounded, so that sums over operands do not overflow.
int64_t Bytes(const ValueType& type) { return std::min(type.layout.PackedBytes().value_or(SaturatedBytes(type)), int64_t{1} << 56); }

int64_t ResultBytes(const Node& node) {
  int64_t bytes = 0;
  for (int i = 0; i < node.num_outputs(); ++i)
    if (node.output(i)->type().layout.kind != StorageLayout::Kind::kPacked) bytes += Bytes(node.output(i)->type());
  return bytes;
}

int64_t OperandBytes(const Node& node) {
  int64_t bytes = 0;
  for (int i = 0; i < node.num_inputs(); ++i) {
    const auto before = node.inputs().begin() + i;
    if (*before && std::find(node.inputs().begin(), before, *before) == before) bytes += Bytes((*before)->type());
  }
  return bytes;
}

}  // namespace

ConstantStage::ConstantStage(Graph& graph, FoldOptions options)
    : rows_(static_cast<size_t>(graph.node_bound())), options_(std::move(options)) {
  const bool entry = &graph == &graph.module().entry();
  const AliasInfo aliases(graph);

  // Forwards: what is known.
  const auto refuse = [&](const Node& n, Why why, int port = 0) {
    At(n).why = why;
    At(n).port = port;
  };
  const auto decide = [&](const Node& n) {
    if (!entry) return refuse(n, Why::kSubgraph);
    if (n.op().Has(kControlFlow)) return refuse(n, Why::kControlFlow);
    if (!n.pure() || n.op().Has(kRandom)) return refuse(n, Why::kImpure);
    if (!KeptByUser(n, options_).empty()) return refuse(n, Why::kKept);
    if (!n.control_inputs().empty()) return refuse(n, Why::kControlEdges);
    if (n.num_outputs() == 0) return refuse(n, Why::kNoTensor);
    for (int i = 0; i < n.num_inputs(); ++i) {
      const Value* v = n.input(i);
      if (v && !Known(*v->producer())) return refuse(n, Why::kOperand, i);
    }
    for (int i = 0; i < n.num_outputs(); ++i) {
      if (!IsStaticTensor(n.output(i)->type())) return refuse(n, Why::kNoTensor, i);
      if (aliases.MayBeWritten(n.output(i))) return refuse(n, Why::kWritten, i);
    }
    At(n).flags |= kKnown;
  };
  for (const Node* n : graph.nodes()) {
    if (n->op().Has(kSkeleton)) {
      const bool weight = entry && n->Is("Data") && n->Bool("weight") && IsStaticTensor(n->output()->type());
      if ((n->const_value() || weight) && !aliases.MayBeWritten(n->output())) At(*n).flags |= kKnown;
    } else {
      decide(*n);
    }
  }

  // Backwards: who reads it, and from where.
  for (const Node* n = graph.last(); n; n = n->prev()) {
    if (n->op().Has(kSkeleton)) continue;
    Row& row = At(*n);
    if (!(row.flags & kKnown)) {
      row.flags |= kCall;
      continue;
    }
    bool stage_reads = false, call_reads = false;
    int escapes = -1;
    for (int o = 0; o < n->num_outputs(); ++o) {
      if (aliases.Escapes(n->output(o))) escapes = o;
      for (const Use& use : n->output(o)->uses()) {
        stage_reads |= InStage(*use.user);
        call_reads |= AtCall(*use.user) || use.user == graph.net_output();
      }
    }
    if (call_reads && escapes >= 0) {
      refuse(*n, Why::kEscapes, escapes);
    } else if (call_reads && ResultBytes(*n) > std::max(options_.max_growth_bytes, OperandBytes(*n))) {
      refuse(*n, Why::kSize);
    } else if (!call_reads && !stage_reads) {
      refuse(*n, Why::kUnused);
    } else {
      row.flags |= kStage;
      continue;
    }
    row.flags |= stage_reads ? kCall | kStage : kCall;
  }
}

std::string ConstantStage::WhyAtCall(const Node& node) const {
  if (!AtCall(node)) return {};
  const Row& row = rows_[static_cast<size_t>(node.id())];
  switch (row.why) {
    case Why::kNone: break;
    case Why::kSubgraph: return "belongs to a subgraph, which might not run";
    case Why::kControlFlow: return "runs subgraphs";
    case Why::kImpure: return "has effects or draws random numbers";
    case Why::kKept: return KeptByUser(node, options_);
    case Why::kControlEdges: return "waits for another node";
    case Why::kNoTensor: return "its result is not a tensor of static shape";
    case Why::kOperand: return StrCat("input ", row.port, " ('", node.input(row.port)->producer()->name(), "') is known at the call only");
    case Why::kWritten: return StrCat("result ", row.port, " may be written");
    case Why::kUnused: return "nobody reads it";
    case Why::kEscapes: return StrCat("result ", row.port, " may leave the graph");
    case Why::kSize:
      return StrCat("its result of ", ResultBytes(node), " bytes is larger than its operands (", OperandBytes(node),
                    " bytes) and than the limit of ", options_.max_growth_bytes);
  }
  return {};
}

}  // namespace ge
