#include "host_kernels/onednn/post_op.h"

#include <algorithm>
#include <cmath>

namespace ge::onednn {
namespace {

using A = dnnl::algorithm;

float Clamp(float x, float, float low, float high) { return std::isnan(x) ? x : std::min(std::max(x, low), high); }
float Sigmoid(float x) { return 1.0F / (1.0F + std::exp(-x)); }

// What a row takes from its node. A refusal: why.
using Read = std::string (*)(const Node&, PostOp&);
struct Row {
  std::string_view op;
  A algorithm;
  float (*exact)(float, float, float, float);
  Read read = nullptr;     // null: alpha and beta stay as they are
  bool binary = false;     // two tensors
  bool swappable = false;  // the product may be either of them
};

std::string ReadGelu(const Node& node, PostOp& p) {
  const std::string approximate = node.Str("approximate");
  if (approximate == "tanh") {
    p.algorithm = A::eltwise_gelu_tanh;
    p.exact = [](float x, float, float, float) {
      const double d = x;
      return static_cast<float>(0.5 * d * (1 + std::tanh(M_SQRT2 * M_2_SQRTPI * 0.5 * (d + 0.044715 * d * d * d))));
    };
    return {};
  }
  return approximate == "none" ? "" : "unknown approximation '" + approximate + "'";
}
template <bool is_min>
std::string ReadBound(const Node& node, float& to) {
  const Attr bound = node.attr(is_min ? "min" : "max");
  const auto value = bound.IsNone() ? std::optional<double>(is_min ? -HUGE_VAL : HUGE_VAL) : bound.AsDouble();
  if (!value || std::isnan(*value)) return "a bound is no number";
  to = static_cast<float>(*value);
  return {};
}
std::string ReadClip(const Node& node, PostOp& p) {
  for (int i = 1; i < node.num_inputs(); ++i)
    if (node.input(i)) return "bounds are tensors";
  std::string why = ReadBound<true>(node, p.alpha);
  if (why.empty()) why = ReadBound<false>(node, p.beta);
  return why.empty() && p.alpha > p.beta ? "bounds are crossed" : why;
}
std::string ReadHardtanh(const Node& node, PostOp& p) {
  p.alpha = static_cast<float>(node.Float("min_val"));
  p.beta = static_cast<float>(node.Float("max_val"));
  return p.alpha <= p.beta ? "" : "bounds are crossed";
}
std::string ReadRelu6(const Node&, PostOp& p) {
  p.beta = 6;
  return {};
}
std::string ReadLeaky(const Node& node, PostOp& p) {
  p.alpha = static_cast<float>(node.Float("negative_slope"));
  return std::isfinite(p.alpha) && p.alpha != 0 ? "" : "slope is 0 or no finite number";
}
// x * value and x + value as alpha * x + beta.
std::string ReadScale(const Node& node, PostOp& p) {
  const auto value = node.attr("value").AsDouble();
  if (!value) return "the factor is no real number";
  p.alpha = static_cast<float>(*value);
  return {};
}
std::string ReadShift(const Node& node, PostOp& p) {
  const auto value = node.attr("value").AsDouble();
  if (!value) return "the addend is no real number";
  p.alpha = 1;
  p.beta = static_cast<float>(*value);
  return {};
}

constexpr Row kRows[] = {
    {"Add", A::binary_add, [](float x, float y, float, float) { return x + y; }, nullptr, true, true},
    {"Adds", A::eltwise_linear, [](float x, float, float, float b) { return x + b; }, ReadShift},
    {"ClipByValueV2", A::eltwise_clip, Clamp, ReadClip},
    {"GeluV2", A::eltwise_gelu_erf,
     [](float x, float, float, float) { return static_cast<float>(0.5 * x * (1 + std::erf(M_SQRT1_2 * static_cast<double>(x)))); },
     ReadGelu},
    {"HardSwish", A::eltwise_hardswish, [](float x, float, float, float) { return x * Clamp(x + 3, 0, 0, 6) / 6; }},
    {"Hardtanh", A::eltwise_clip, Clamp, ReadHardtanh},
    {"LeakyRelu", A::eltwise_relu, [](float x, float, float a, float) { return x > 0 ? x : x * a; }, ReadLeaky},
    {"Mul", A::binary_mul, [](float x, float y, float, float) { return x * y; }, nullptr, true, true},
    {"Muls", A::eltwise_linear, [](float x, float, float a, float) { return x * a; }, ReadScale},
    {"Relu", A::eltwise_relu, [](float x, float, float, float) { return x < 0 ? 0 : x; }},
    {"Relu6", A::eltwise_clip, Clamp, ReadRelu6},
    {"Sigmoid", A::eltwise_logistic, [](float x, float, float, float) { return Sigmoid(x); }},
    {"Sub", A::binary_sub, [](float x, float y, float, float) { return x - y; }, nullptr, true},
    {"Swish", A::eltwise_swish, [](float x, float, float, float) { return x * Sigmoid(x); },
     [](const Node&, PostOp& p) {
       p.alpha = 1;
       return std::string();
     }},
    {"Tanh", A::eltwise_tanh, [](float x, float, float, float) { return std::tanh(x); }},
};

}  // namespace

Result<PostOp> ReadPostOp(const Node& node, int product) {
  const auto* row = std::ranges::find(kRows, node.op().name, &Row::op);
  const auto refuse = [&](std::string why) { return Unimplemented(StrCat("epilogue ", node.op().name, ": ", why)); };
  if (row == std::end(kRows)) return refuse("not one that the primitive can compute");
  PostOp p{row->algorithm, 0, 0, -1, row->exact};
  if (row->read) {
    if (std::string why = row->read(node, p); !why.empty()) return refuse(std::move(why));
  }
  if (!row->binary) return product == 0 ? Result<PostOp>(p) : refuse("the product is not its operand x");
  if (node.num_inputs() < 2 || !node.input(0) || !node.input(1)) return refuse("an operand is a number");
  if (node.input(0) == node.input(1)) return refuse("both operands are the product");
  if (product != 0 && !row->swappable) return refuse("the product is its second operand");
  p.operand = product == 0 ? 1 : 0;
  return p;
}

}  // namespace ge::onednn
