// GroupNorm: normalisation over groups of channels.
#include "host_kernels/norm_ops/norm_util.h"

namespace ge {
namespace {

Result<Types> InferGroupNorm(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireNormOperands(c));
  const Shape& x = c.input(0).shape();
  if (x.size() < 2) return InvalidArgument(StrCat("GroupNorm: x is ", ToString(c.input(0)), ", expected at least batch and channel axes"));
  const int64_t groups = c.Int("num_groups");
  if (groups < 1 || (x[1].IsConst() && x[1].value() % groups != 0))
    return InvalidArgument(StrCat("GroupNorm: num_groups ", groups, " does not divide the channels of ", ToString(c.input(0))));
  GE_RETURN_IF_ERROR(nn::RequireVector(c, 1, x[1]));
  GE_RETURN_IF_ERROR(nn::RequireVector(c, 2, x[1]));
  // batch, channels and spatial repeat what x's type says; a call that contradicts it is not this op.
  Dim spatial = 1;
  for (size_t d = 2; d < x.size(); ++d) spatial = spatial * x[d];
  const Dim expected[] = {x[0], x[1], spatial};
  constexpr std::string_view kNames[] = {"batch", "channels", "spatial"};
  for (size_t i = 0; i < 3; ++i) {
    const Attr a = c.attr(kNames[i]);
    if (const int64_t* v = a.Get<int64_t>(); v && CertainlyDifferent(Dim(*v), expected[i]))
      return Unimplemented(StrCat("GroupNorm: attribute '", kNames[i], "' is ", *v, ", but x is ", ToString(c.input(0))));
  }
  const DType t = c.input(0).dtype();
  const Shape statistics = {x[0], Dim(groups)};
  return Types{ValueType::Tensor(t, x), ValueType::Tensor(t, statistics), ValueType::Tensor(t, statistics)};
}

struct GroupNormKernel {
  static Status Compute(const HostKernelContext& ctx) {
    constexpr std::string_view kName = "GroupNorm";
    GE_ASSIGN_OR_RETURN(const std::vector<double> x, nn::ReadFloats(ctx.inputs[0], kName));
    GE_ASSIGN_OR_RETURN(const std::vector<double> gamma, nn::ReadFloats(nn::In(ctx, 1), kName));
    GE_ASSIGN_OR_RETURN(const std::vector<double> beta, nn::ReadFloats(nn::In(ctx, 2), kName));
    const std::vector<int64_t> shape = Extents(ctx.inputs[0]->type());
    const int64_t channels = shape[1], groups = ctx.node.Int("num_groups"), spatial = Product(std::span(shape).subspan(2));
    const int64_t rows = shape[0] * groups, inner = channels / groups * spatial;
    std::vector<double> y(x.size()), mean(static_cast<size_t>(rows)), rstd(mean.size());
    for (int64_t r = 0; r < rows; ++r) {
      const nn::Moments m = nn::MomentsOf(x.data() + r * inner, inner, ctx.node.Float("eps"));
      mean[static_cast<size_t>(r)] = m.mean;
      rstd[static_cast<size_t>(r)] = m.rstd;
      for (int64_t i = 0; i < inner; ++i) {
        const size_t at = static_cast<size_t>(r * inner + i), channel = static_cast<size_t>(r % groups * (channels / groups) + i / spatial);
        y[at] = (x[at] - m.mean) * m.rstd * (gamma.empty() ? 1.0 : gamma[channel]) + (beta.empty() ? 0.0 : beta[channel]);
      }
    }
    GE_RETURN_IF_ERROR(nn::WriteFloats(ctx.outputs[0], y, kName));
    GE_RETURN_IF_ERROR(nn::WriteFloats(ctx.outputs[1], mean, kName));
    return nn::WriteFloats(ctx.outputs[2], rstd, kName);
  }
};

}  // namespace

GE_DEFINE_OP(GroupNorm)
    .Doc(
        "Normalises each of num_groups groups of channels over its channels and all spatial axes, then gamma and beta a channel. Output "
        "`variance` holds 1 / sqrt(var + eps), as ATen returns it. ATen's call repeats extents of x: as attributes where they are numbers, "
        "else as operands.")
    .Input("x", kFloatTypes)
    .OptionalInput("gamma", kFloatTypes)
    .OptionalInput("beta", kFloatTypes)
    .OptionalInput("batch_size", kI64Type)
    .OptionalInput("channel_count", kI64Type)
    .OptionalInput("spatial_size", kI64Type)
    .Output("y", kFloatTypes)
    .Output("mean", kFloatTypes)
    .Output("variance", kFloatTypes)
    .Required("num_groups", AttrKind::kInt)
    .Float("eps", 1e-5)
    .Optional("batch", AttrKind::kInt)
    .Optional("channels", AttrKind::kInt)
    .Optional("spatial", AttrKind::kInt)
    .Infer(InferGroupNorm)
    .Aten("aten::native_group_norm(x, gamma, beta, @batch, @channels, @spatial, @num_groups, @eps)")
    .Aten("aten::native_group_norm(x, gamma, beta, #batch_size.0, #channel_count.0, #spatial_size.0, @num_groups, @eps)");
REGISTER_COMPUTE_NODE_KERNEL(GroupNorm, GroupNormKernel);

}  // namespace ge
