#pragma once
// What the clean-up rules share: questions about one operand, or about a producer that a rule reads past.
#include "ge_core/passes/fold/folding_pass.h"

namespace ge {

// Some extent is unknown: two such types may print alike and still differ.
bool HasUnknownExtent(const ValueType& type);

// Why a reader of `mid` must not read `source`, an operand of mid's producer, in its place (after the rewrite that makes
// up for what the producer did): a mark on the producer, an order that it stands for, memory that is written in between.
// Empty if it may.
std::string WhyNotReadPast(const Value& mid, const Value& source, const Rewriter& rewriter, const FoldOptions& fold);

// Erases `producer` with the operands that only it read, if nobody reads it or waits for it any more and it is pure.
Status EraseIfOrphaned(Node& producer, Rewriter& rewriter);

// Operators whose result is their operand under another shape, element by element in row-major order: Reshape, Squeeze,
// Unsqueeze and their versions, ExpandDims, FlattenV2.
std::span<const std::string_view> RelabellingOps();
bool Relabels(const Node& node);

}  // namespace ge
