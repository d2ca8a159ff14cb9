// SymToTensor: a list of host integers as a one-dimensional i64 tensor, the form of AscendIR's shape operands.
#include "ge_core/ir/op_def.h"

namespace ge {
namespace {

Result<std::vector<ValueType>> InferSymToTensor(const InferContext& c) {
  const Attr values = c.attr("values");
  const auto* list = values.Get<Attr::List>();
  if (!list) return InvalidArgument("'values' must be a list of integers and $i references");
  ValueType t = ValueType::Tensor(DType::kI64, {Dim(static_cast<int64_t>(list->size()))});
  t.placement = ValueType::Placement::kHost;
  return std::vector<ValueType>{std::move(t)};
}

}  // namespace

GE_DEFINE_OP(SymToTensor)
    .Doc("i64 tensor of `values`, a list of integers in which $i stands for sym input i.")
    .VariadicInput("x")
    .Output("y")
    .Required("values", AttrKind::kAny)
    .Traits(kHostScalar | kNoFold)
    .Infer(InferSymToTensor);

}  // namespace ge
