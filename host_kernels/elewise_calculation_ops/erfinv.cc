#include <limits>
#include "host_kernels/elewise.h"

namespace ge {
using namespace elewise;

namespace {

// erf is inverted by Newton steps from a rational first guess (Giles); erfc keeps the tails accurate.
double Inverse(double y) {
  if (std::isnan(y) || std::abs(y) > 1) return std::numeric_limits<double>::quiet_NaN();
  if (std::abs(y) == 1) return std::copysign(std::numeric_limits<double>::infinity(), y);
  if (y == 0) return y;
  const double a = std::abs(y);
  double w = -std::log((1 - a) * (1 + a)), x;
  if (w < 5) {
    w -= 2.5;
    x = a * (1.50140941 + w * (0.246640727 + w * (-0.00417768164 + w * (-0.00125372503 + w * 0.00021858087))));
  } else {
    w = std::sqrt(w) - 3;
    x = a * (2.83297682 + w * (1.00167406 + w * (0.00943887047 + w * (-0.0076224613 + w * 0.00573950773))));
  }
  constexpr double two_over_sqrt_pi = 1.1283791670955125739;
  for (int step = 0; step < 3; ++step) {
    const double error = a > 0.5 ? (1 - a) - std::erfc(x) : std::erf(x) - a;
    x -= error / (two_over_sqrt_pi * std::exp(-x * x));
  }
  return std::copysign(x, y);
}

}  // namespace

GE_DEFINE_OP(Erfinv)
    .Doc("Inverse error function; integers and bool give f32")
    .Input("input_x", kRealsBool)
    .Output("output_y", kFloatTypes)
    .Traits(kElementwise)
    .Infer(InferFloat)
    .Aten("aten::erfinv(input_x)");

namespace {
struct Kernel {
  static Status Compute(const HostKernelContext& c) {
    return UnaryFloat(c, [](auto x) { return static_cast<decltype(x)>(Inverse(static_cast<double>(x))); });
  }
};
}  // namespace
REGISTER_COMPUTE_NODE_KERNEL(Erfinv, Kernel);

}  // namespace ge
