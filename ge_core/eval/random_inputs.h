#pragma once
// Seeded inputs for a module, and the comparison of two evaluations: golden tests, bisection.
#include <string>
#include <vector>

#include "ge_core/eval/evaluate.h"

namespace ge {

// One tensor per Data node, always the same for one `round`. Among the floats are -0.0, inf and nan; integers are small.
// Symbols are bound to sizes that depend on `round`. Fails with Unimplemented on an input that has no random values.
// `tame`: f32 and f64 positive and of one magnitude, so that a variance can be one and sums lose nothing by cancellation.
GE_API Result<std::vector<Tensor>> RandomInputs(const Module& module, int round, bool tame = false);

// How `found` differs from `expected`, both evaluated on `inputs`, in words; empty: not at all. Of inputs it counts what they
// hold afterwards, not whether a write put it there. `tolerance` 0: bits, except that one NaN is as good as
// another, because which operand's payload survives is no promise of any engine. Else floats may differ by that share of
// the largest finite value expected in their tensor.
GE_API std::string ResultDifference(const EvalResult& expected, const EvalResult& found, std::span<const Tensor> inputs,
                                    double tolerance = 0);

}  // namespace ge
