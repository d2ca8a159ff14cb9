// LayerNormV4: normalisation over the trailing axes.
#include "host_kernels/norm_ops/norm_util.h"

namespace ge {
namespace {

// Operand 1 holds the normalised extents. Their number decides where the normalised axes begin.
Result<size_t> FirstNormalizedAxis(const InferContext& c) {
  const auto count = OperandLength(c, 1);
  if (!count) return Unimplemented("LayerNormV4: the length of normalized_shape is not known");
  if (*count < 1 || *count > c.input(0).rank())
    return InvalidArgument(StrCat("LayerNormV4: normalized_shape has ", *count, " extents, but x is ", ToString(c.input(0))));
  return static_cast<size_t>(c.input(0).rank() - *count);
}

Result<Types> InferLayerNormV4(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireNormOperands(c));
  const Shape& x = c.input(0).shape();
  GE_ASSIGN_OR_RETURN(const size_t first, FirstNormalizedAxis(c));
  const Shape normalized(x.begin() + static_cast<int64_t>(first), x.end());
  if (const auto extents = c.ConstInts(1))
    for (size_t d = 0; d < normalized.size(); ++d)
      GE_RETURN_IF_ERROR(nn::RequireDim(c, "a normalised extent of x", normalized[d], Dim((*extents)[d])));
  GE_RETURN_IF_ERROR(nn::RequireShape(c, 2, normalized));
  GE_RETURN_IF_ERROR(nn::RequireShape(c, 3, normalized));
  Shape statistics(x.begin(), x.begin() + static_cast<int64_t>(first));
  statistics.resize(x.size(), Dim(1));
  const DType t = c.input(0).dtype();
  return Types{ValueType::Tensor(t, x), ValueType::Tensor(t, statistics), ValueType::Tensor(t, statistics)};
}

struct LayerNormV4Kernel {
  static Status Compute(const HostKernelContext& ctx) {
    constexpr std::string_view kName = "LayerNormV4";
    GE_ASSIGN_OR_RETURN(const std::vector<double> x, nn::ReadFloats(ctx.inputs[0], kName));
    GE_ASSIGN_OR_RETURN(const std::vector<double> gamma, nn::ReadFloats(nn::In(ctx, 2), kName));
    GE_ASSIGN_OR_RETURN(const std::vector<double> beta, nn::ReadFloats(nn::In(ctx, 3), kName));
    const int64_t rows = ctx.outputs[1].num_elements();
    const int64_t inner = Product(IntsOf(*ctx.inputs[1]));
    std::vector<double> y(x.size()), mean(static_cast<size_t>(rows)), rstd(mean.size());
    for (int64_t r = 0; r < rows; ++r) {
      const size_t row = static_cast<size_t>(r), base = static_cast<size_t>(r * inner);
      const nn::Moments m = nn::MomentsOf(x.data() + base, inner, ctx.node.Float("epsilon"));
      mean[row] = m.mean;
      rstd[row] = m.rstd;
      for (size_t i = 0; i < static_cast<size_t>(inner); ++i)
        y[base + i] = (x[base + i] - m.mean) * m.rstd * (gamma.empty() ? 1.0 : gamma[i]) + (beta.empty() ? 0.0 : beta[i]);
    }
    GE_RETURN_IF_ERROR(nn::WriteFloats(ctx.outputs[0], y, kName));
    GE_RETURN_IF_ERROR(nn::WriteFloats(ctx.outputs[1], mean, kName));
    return nn::WriteFloats(ctx.outputs[2], rstd, kName);
  }
};

}  // namespace

GE_DEFINE_OP(LayerNormV4)
    .Doc(
        "(x - mean) / sqrt(var + epsilon) * gamma + beta over the trailing axes that normalized_shape names; also mean and 1 / sqrt(var + "
        "epsilon).")
    .Input("x", kFloatTypes)
    .Input("normalized_shape", kI64Type)
    .OptionalInput("gamma", kFloatTypes)
    .OptionalInput("beta", kFloatTypes)
    .Output("y", kFloatTypes)
    .Output("mean", kFloatTypes)
    .Output("rstd", kFloatTypes)
    .Float("epsilon", 1e-5)
    .Infer(InferLayerNormV4)
    .Aten("aten::native_layer_norm(x, #normalized_shape, gamma, beta, @epsilon)")
    .Aten("aten::layer_norm(x, #normalized_shape, gamma, beta, @epsilon, true) -> y")
    .Aten("aten::layer_norm(x, #normalized_shape, gamma, beta, @epsilon, false) -> y");
REGISTER_COMPUTE_NODE_KERNEL(LayerNormV4, LayerNormV4Kernel);

}  // namespace ge
