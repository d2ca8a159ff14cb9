// NetOutput: the results of a graph, in order. Exactly one, last.
#include "ge_core/ir/op_def.h"

namespace ge {

GE_DEFINE_OP(NetOutput).Doc("The graph's results, in order.").VariadicInput("x").Traits(kSkeleton | kImpure | kNoFold);

}  // namespace ge
