// TransData: changes the storage layout only; dtype and logical shape stay.
#include "ge_core/ir/op_def.h"

namespace ge {
namespace {

Result<std::vector<ValueType>> InferTransData(const InferContext& c) {
  return std::vector<ValueType>{ValueType::Tensor(c.input(0).dtype(), c.input(0).shape())};
}

}  // namespace

GE_DEFINE_OP(TransData)
    .Doc("The same values in the storage layout that the output type names; run by the engine that owns the layout.")
    .Input("src")
    .Output("dst")
    .Traits(kNoFold)
    .Infer(InferTransData);

}  // namespace ge
