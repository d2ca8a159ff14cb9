// NoOp: carries control edges only.
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(NoOp).Doc("Does nothing; joins control edges.").Traits(kSkeleton | kImpure | kNoFold);

}  // namespace ge
