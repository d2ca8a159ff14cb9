// SymCompute: host scalar arithmetic on sym values, with Python's semantics.
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(SymCompute)
    .Doc(
        "`fn` of `args`, a list in which $i stands for input i. fn: add sub mul floordiv truediv mod pow neg abs min max and or not "
        "eq ne lt le gt ge sum ite int float bool floor ceil trunc round sqrt.")
    .OptionalVariadicInput("x")
    .Output("y")
    .Required("fn", AttrKind::kString)
    .Required("args", AttrKind::kAny)
    .Traits(kHostScalar | kNoFold);

}  // namespace ge
