// Assign: writes a graph input in place (aten::copy_).
#include "ge_core/base/str.h"
#include "ge_core/ir/op_def.h"

namespace ge {
namespace {

Result<std::vector<ValueType>> InferAssign(const InferContext& c) {
  if (!c.input(0).IsTensor()) return Unimplemented("Assign writes tensors");
  return std::vector<ValueType>{c.input(0)};
}

}  // namespace

GE_DEFINE_OP(Assign)
    .Doc("Copies `value` (broadcast and cast to ref's type) into the memory of `ref`; the result aliases ref.")
    .Input("ref")
    .Input("value")
    .Output("ref")
    .Traits(kMutates | kView | kNoFold)
    .Infer(InferAssign)
    .Aten("aten::copy_(ref, value, false)");

}  // namespace ge
