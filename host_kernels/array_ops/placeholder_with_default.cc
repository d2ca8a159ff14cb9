#include "host_kernels/shape_util.h"

namespace ge {
namespace {

// The attribute shape is what the caller may feed in x's place: as many axes, -1 for an extent that is open.
Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(ValueType y, RelabelledType(ctx));
  const std::vector<int64_t> shape = ctx.Ints("shape");
  bool fits = static_cast<int64_t>(shape.size()) == y.rank();
  for (size_t d = 0; fits && d < shape.size(); ++d) fits = shape[d] == -1 || !CertainlyDifferent(Dim(shape[d]), y.shape()[d]);
  if (!fits)
    return InvalidArgument(
        StrCat("PlaceholderWithDefault: the default ", ToString(y), " does not fit the attribute shape ", ToString(ctx.attr("shape"))));
  return Types{std::move(y)};
}

struct PlaceholderWithDefaultKernel {
  static Status Compute(const HostKernelContext& ctx) { return CopyBytes(ctx); }
};

}  // namespace

// Only graphs from files contain it. The row is for execution: the importer takes Identity, which stands before it in ops.def.
GE_DEFINE_OP(PlaceholderWithDefault)
    .Doc("x, the default of an input that this graph does not have: nothing else can be fed in its place.")
    .Input("x")
    .Output("y")
    .Required("shape", AttrKind::kInts)
    .Traits(kView)
    .Infer(Infer)
    .Aten("aten::alias(x)");
REGISTER_COMPUTE_NODE_KERNEL(PlaceholderWithDefault, PlaceholderWithDefaultKernel);

}  // namespace ge
