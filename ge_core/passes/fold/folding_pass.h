#pragma once
// FoldingPass: the action that all folding rules share, seed 000 section 4.2. A node's results become constants:
//   the readers of every result are pointed at a new Const, placed where the node was;
//   an operand that comes from a Switch or RefSwitch stays alive as an Identity, which the constants wait for, so that
//     they exist in the taken branch only;
//   control edges and the stream label go over to the constants;
//   the node goes, and with it every operand that nobody reads any more.
#include "ge_core/passes/fold/fold_options.h"
#include "ge_core/passes/fold/fold_report.h"
#include "ge_core/passes/pass.h"
#include "ge_core/passes/rewriter.h"

namespace ge {

// Marks on nodes that are part of the interface (seed 000 section 3.2).
inline constexpr std::string_view kDoNotFoldMark = "_do_not_constant_folding";     // a user or a framework
inline constexpr std::string_view kDoNotRemoveMark = "_grappler_do_not_remove";    // a framework
inline constexpr std::string_view kNoNeedFoldMark = "no_need_constant_folding";    // a pass
inline constexpr std::string_view kFromFoldingMark = "_is_from_constant_folding";  // on constants that folding made
inline constexpr std::string_view kInsertedMark = "_is_inserted_by_ge";            // on nodes that a pass made
inline constexpr std::string_view kStreamLabel = "_stream_label";

class GE_API FoldingPass : public NodePass {
 protected:
  // Replaces the results named by `outputs` by `values`, one each. The node stays where another result is still read.
  Status Fold(Node& node, std::span<const int> outputs, std::span<const Tensor> values, Rewriter& rewriter) const;
  // All results.
  Status Fold(Node& node, std::span<const Tensor> values, Rewriter& rewriter) const;
};

// The first of the user's reasons to leave `node` alone: a mark, or a name pattern of ge.fold.keep. Empty if there is none.
GE_API std::string KeptByUser(const Node& node, const FoldOptions& options);

// Why the results of `node` cannot be constants, whatever computes them: effects, an open shape, strides that a constant
// cannot have, a written or shared memory. Empty if they can.
GE_API std::string WhyNotConstant(const Node& node, const AliasInfo& aliases);

}  // namespace ge
