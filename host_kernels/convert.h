#pragma once
// Conversion of dtypes as Tensor.to does it on an x86 CPU: the one place where kernels get it from.
#include "ge_core/base/status.h"
#include "ge_core/ir/tensor.h"

namespace ge {

// Writes the elements of x, converted, into `out`, which has as many. Integers wrap. A float out of an integer's range gives
// what the processor's instruction gives (the smallest integer of the type converted through: i64 for i64 and u8, i32 for
// i32, i16 and i8). Unimplemented: complex to real, f8 types, and floats out of range of u16, u32, u64.
Status ConvertInto(const Tensor& x, Tensor& out, std::string_view op);
// The same into a new tensor; x itself if it has the dtype.
Result<Tensor> ConvertTensor(const Tensor& x, DType dtype, std::string_view op);

}  // namespace ge
