// RmsNorm: root-mean-square normalisation over the trailing axes.
#include <cmath>
#include <limits>

#include "host_kernels/norm_ops/norm_util.h"

namespace ge {
namespace {

Result<Types> InferRmsNorm(const InferContext& c) {
  GE_RETURN_IF_ERROR(nn::RequireTensors(c));
  // Low precision keeps rstd in float32 and takes float32 weights with a warning; kept simple: equal dtypes only.
  GE_RETURN_IF_ERROR(nn::RequireSameDType(c, {0, 1}));
  const Shape& x = c.input(0).shape();
  const std::vector<int64_t> extents = c.Ints("normalized_shape");
  if (extents.empty() || extents.size() > x.size())
    return InvalidArgument(StrCat("RmsNorm: normalized_shape has ", extents.size(), " extents, but x is ", ToString(c.input(0))));
  const size_t first = x.size() - extents.size();
  const Shape normalized(x.begin() + static_cast<int64_t>(first), x.end());
  for (size_t d = 0; d < normalized.size(); ++d)
    GE_RETURN_IF_ERROR(nn::RequireDim(c, "a normalised extent of x", normalized[d], Dim(extents[d])));
  GE_RETURN_IF_ERROR(nn::RequireShape(c, 1, normalized));
  Shape statistics(x.begin(), x.begin() + static_cast<int64_t>(first));
  statistics.resize(x.size(), Dim(1));
  const DType t = c.input(0).dtype();
  return Types{ValueType::Tensor(t, x), ValueType::Tensor(t == DType::kF64 ? t : DType::kF32, statistics)};
}

struct RmsNormKernel {
  static Status Compute(const HostKernelContext& ctx) {
    constexpr std::string_view kName = "RmsNorm";
    GE_ASSIGN_OR_RETURN(const std::vector<double> x, nn::ReadFloats(ctx.inputs[0], kName));
    GE_ASSIGN_OR_RETURN(const std::vector<double> gamma, nn::ReadFloats(nn::In(ctx, 1), kName));
    const int64_t inner = Product(ctx.node.Ints("normalized_shape")), rows = ctx.outputs[1].num_elements();
    const Attr given = ctx.node.attr("epsilon");
    // Without epsilon PyTorch takes the machine epsilon of the type it computes in.
    const double epsilon = given.AsDouble().value_or(ctx.inputs[0]->dtype() == DType::kF64 ? std::numeric_limits<double>::epsilon()
                                                                                           : double{std::numeric_limits<float>::epsilon()});
    std::vector<double> y(x.size()), rstd(static_cast<size_t>(rows));
    for (int64_t r = 0; r < rows; ++r) {
      const size_t base = static_cast<size_t>(r * inner);
      double squares = 0;
      for (size_t i = 0; i < static_cast<size_t>(inner); ++i) squares += x[base + i] * x[base + i];
      const double scale = 1 / std::sqrt(squares / static_cast<double>(inner) + epsilon);
      rstd[static_cast<size_t>(r)] = scale;
      for (size_t i = 0; i < static_cast<size_t>(inner); ++i) y[base + i] = x[base + i] * scale * (gamma.empty() ? 1.0 : gamma[i]);
    }
    GE_RETURN_IF_ERROR(nn::WriteFloats(ctx.outputs[0], y, kName));
    return nn::WriteFloats(ctx.outputs[1], rstd, kName);
  }
};

}  // namespace

GE_DEFINE_OP(RmsNorm)
    .Doc(
        "x / sqrt(mean(x^2) + epsilon) * gamma over the trailing axes of extents normalized_shape; also 1 / sqrt(mean(x^2) + epsilon). "
        "An absent epsilon is the machine epsilon of the computation type.")
    .Input("x", kFloatTypes)
    .OptionalInput("gamma", kFloatTypes)
    .Output("y", kFloatTypes)
    .Output("rstd", kFloatTypes)
    .Required("normalized_shape", AttrKind::kInts)
    .Optional("epsilon", AttrKind::kFloat)
    .Infer(InferRmsNorm)
    .Aten("aten::_fused_rms_norm(x, @normalized_shape, gamma, @epsilon)")
    .Aten("aten::rms_norm(x, @normalized_shape, gamma, @epsilon) -> y");
REGISTER_COMPUTE_NODE_KERNEL(RmsNorm, RmsNormKernel);

}  // namespace ge
