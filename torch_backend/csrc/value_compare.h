#pragma once
// Comparing what two runs computed, within the tolerance of the dtype.
#include <ATen/ATen.h>

#include "npu_runtime/loaded_model.h"

namespace ge::torch_backend {

// A value at one moment: a copy of a tensor, or a host number. Neither: nothing that can be compared.
struct Observed {
  at::Tensor tensor;
  std::optional<at::Scalar> number;
};
// Reads a slot. `copy`: the tensor gets memory of its own, in which later writes do not show.
Observed Observe(const Slot& slot, bool copy);

// How two values differ, in words: "3 of 32 elements differ by more than ..., first at [0, 3]: expected 1.5, found 2".
using Difference = std::string;

// Empty: equal, or not comparable (opaque values, sparse tensors). Integers and bools must be equal, floats to a share of the
// largest expected value (f64 1e-9, f32 1e-4, f16 and bf16 1e-2); NaN and infinity stand in the same places. `operands` are
// what the values were computed from: differences within a few roundings of those are no error where large terms cancel.
Difference Compare(const Observed& expected, const Observed& found, std::span<const at::Tensor> operands = {});
// Empty: equal strides wherever they tell elements apart.
Difference CompareStrides(const at::Tensor& expected, const at::Tensor& found);

}  // namespace ge::torch_backend
