// SymSize: one extent of a tensor as a host integer (aten::sym_size.int).
#include "ge_core/base/str.h"
#include "ge_core/ir/op_def.h"

namespace ge {
namespace {

Result<std::vector<ValueType>> InferSymSize(const InferContext& c) {
  if (!c.input(0).IsTensor()) return Unimplemented("SymSize needs a tensor");
  const int64_t rank = c.input(0).rank(), dim = c.Int("dim");
  if (dim < -rank || dim >= rank) return InvalidArgument(StrCat("dim ", dim, " is out of range for ", ToString(c.input(0))));
  return std::vector<ValueType>{ValueType::Sym(DType::kI64, c.input(0).shape()[static_cast<size_t>(dim < 0 ? dim + rank : dim)])};
}

}  // namespace

GE_DEFINE_OP(SymSize)
    .Doc("Extent `dim` of x as a host integer.")
    .Input("x")
    .Output("y")
    .Required("dim", AttrKind::kInt)
    .Traits(kHostScalar | kNoFold)
    .Infer(InferSymSize)
    .Aten("aten::sym_size.int(x, @dim)");

}  // namespace ge
