// SSDPriorBox: the default boxes of the SSD detector for one feature map. They depend on shapes and attributes alone.
#include <algorithm>
#include <cmath>

#include "host_kernels/element_util.h"
#include "host_kernels/shape_util.h"

namespace ge {
namespace {

struct Settings {
  std::vector<double> min_size, max_size, ratios, variance;  // ratios: 1 first, then the others in order, without repetitions
  int64_t img_h = 0, img_w = 0;
  double step_h = 0, step_w = 0, offset = 0.5;
  bool clip = false;

  int64_t boxes_per_cell() const { return static_cast<int64_t>(min_size.size() * ratios.size() + max_size.size()); }
};

Result<std::vector<double>> Numbers(const Attr& attr, std::string_view name) {
  std::vector<double> out;
  const auto* list = attr.Get<Attr::List>();
  if (!list && !attr.IsNone()) return InvalidArgument(StrCat("SSDPriorBox: ", name, " must be a list of numbers, found ", ToString(attr)));
  for (size_t k = 0; list && k < list->size(); ++k) {
    const auto v = (*list)[k].AsDouble();
    if (!v || !std::isfinite(*v))
      return InvalidArgument(StrCat("SSDPriorBox: ", name, " must hold finite numbers, found ", ToString(attr)));
    out.push_back(*v);
  }
  return out;
}

// `c` is an InferContext or a Node.
template <typename C>
Result<Settings> SettingsOf(const C& c) {
  Settings s;
  GE_ASSIGN_OR_RETURN(s.min_size, Numbers(c.attr("min_size"), "min_size"));
  GE_ASSIGN_OR_RETURN(s.max_size, Numbers(c.attr("max_size"), "max_size"));
  GE_ASSIGN_OR_RETURN(s.variance, Numbers(c.attr("variance"), "variance"));
  GE_ASSIGN_OR_RETURN(const std::vector<double> ratios, Numbers(c.attr("aspect_ratio"), "aspect_ratio"));
  if (s.min_size.empty()) return InvalidArgument("SSDPriorBox: min_size is empty");
  if (!s.max_size.empty() && s.max_size.size() != s.min_size.size())
    return InvalidArgument("SSDPriorBox: max_size must be empty or as long as min_size");
  for (size_t k = 0; k < s.min_size.size(); ++k) {
    if (s.min_size[k] <= 0) return InvalidArgument("SSDPriorBox: min_size must be positive");
    if (k < s.max_size.size() && s.max_size[k] <= s.min_size[k]) return InvalidArgument("SSDPriorBox: max_size must exceed min_size");
  }
  if (s.variance.empty()) s.variance = {0.1};
  if (s.variance.size() != 1 && s.variance.size() != 4) return InvalidArgument("SSDPriorBox: variance must hold 1 or 4 numbers");
  for (double v : s.variance)
    if (v <= 0) return InvalidArgument("SSDPriorBox: variance must be positive");
  s.ratios = {1.0};
  const auto add = [&](double r) {
    if (std::none_of(s.ratios.begin(), s.ratios.end(), [&](double seen) { return std::abs(seen - r) < 1e-6; })) s.ratios.push_back(r);
  };
  for (double r : ratios) {
    if (r <= 0) return InvalidArgument("SSDPriorBox: aspect_ratio must be positive");
    const size_t before = s.ratios.size();
    add(r);
    if (c.Bool("flip") && s.ratios.size() > before) add(1 / r);
  }
  s.img_h = c.Int("img_h");
  s.img_w = c.Int("img_w");
  s.step_h = c.Float("step_h");
  s.step_w = c.Float("step_w");
  s.offset = c.Float("offset");
  s.clip = c.Bool("clip");
  if (s.img_h < 0 || s.img_w < 0 || s.step_h < 0 || s.step_w < 0)
    return InvalidArgument("SSDPriorBox: the sizes and steps of the image must not be negative");
  return s;
}

Result<Types> Infer(const InferContext& ctx) {
  GE_ASSIGN_OR_RETURN(const Settings s, SettingsOf(ctx));
  for (int i = 0; i < 2; ++i)
    if (!ctx.input(i).IsTensor() || ctx.input(i).rank() != 4)
      return InvalidArgument(StrCat("SSDPriorBox: operand ", i, " must be an NCHW tensor, found ", ToString(ctx.input(i))));
  const Shape& x = ctx.input(0).shape();
  return Types{ValueType::Tensor(ctx.input(0).dtype(), {1, 2, x[2] * x[3] * Dim(s.boxes_per_cell() * 4)})};
}

struct SSDPriorBoxKernel {
  static Status ComputeFromNode(const Node& node, std::span<Tensor> outputs) {
    const ValueType &x = node.input(0)->type(), &image = node.input(1)->type();
    if (!x.IsStatic() || !image.IsStatic()) return FailedPrecondition("SSDPriorBox: the shapes of its operands are not known");
    GE_ASSIGN_OR_RETURN(const Settings s, SettingsOf(node));
    const int64_t rows = x.shape()[2].value(), columns = x.shape()[3].value();
    const bool own_size = s.img_h > 0 && s.img_w > 0, own_step = s.step_h > 0 && s.step_w > 0;
    const double height = static_cast<double>(own_size ? s.img_h : image.shape()[2].value());
    const double width = static_cast<double>(own_size ? s.img_w : image.shape()[3].value());
    if (rows * columns > 0 && (height == 0 || width == 0)) return InvalidArgument("SSDPriorBox: the image has no pixels");
    const double step_h = own_step ? s.step_h : height / static_cast<double>(rows);
    const double step_w = own_step ? s.step_w : width / static_cast<double>(columns);
    return elem::VisitReal(outputs[0].dtype(), "SSDPriorBox", [&](auto tag) -> Status {
      using T = typename decltype(tag)::type;
      if constexpr (!elem::kIsFloat<T>) {
        return Unimplemented("SSDPriorBox computes floating point");
      } else {
        T* y = outputs[0].mutable_data<T>();
        const auto put = [&](double v) { *y++ = elem::Narrow<T>(v); };
        for (int64_t h = 0; h < rows; ++h) {
          for (int64_t w = 0; w < columns; ++w) {
            const double cx = (static_cast<double>(w) + s.offset) * step_w, cy = (static_cast<double>(h) + s.offset) * step_h;
            const auto box = [&](double bw, double bh) {
              for (double v : {(cx - bw / 2) / width, (cy - bh / 2) / height, (cx + bw / 2) / width, (cy + bh / 2) / height})
                put(s.clip ? std::clamp(v, 0.0, 1.0) : v);
            };
            for (size_t k = 0; k < s.min_size.size(); ++k) {
              const double side = s.min_size[k];
              box(side, side);
              if (k < s.max_size.size()) box(std::sqrt(side * s.max_size[k]), std::sqrt(side * s.max_size[k]));
              for (size_t r = 1; r < s.ratios.size(); ++r) box(side * std::sqrt(s.ratios[r]), side / std::sqrt(s.ratios[r]));
            }
          }
        }
        for (int64_t k = 0, n = outputs[0].num_elements() / 2; k < n; ++k)
          put(s.variance[s.variance.size() == 1 ? 0 : static_cast<size_t>(k % 4)]);
        return {};
      }
    });
  }
};

}  // namespace

GE_DEFINE_OP(SSDPriorBox)
    .Doc(
        "[1, 2, boxes * 4]: first the corners (xmin, ymin, xmax, ymax) of the boxes around each cell of x, row by row, as fractions of the "
        "image's size, then their variances. A cell has, for each min_size: a square of that side, one of side sqrt(min_size * max_size) "
        "if there is a max_size, and a box of the same area for each other aspect_ratio (with flip, its inverse too). img_h, img_w, "
        "step_h, "
        "step_w of 0: taken from the operands.")
    .Input("x", kFloatTypes)
    .Input("img", kFloatTypes)
    .Output("y", kFloatTypes)
    .Required("min_size", AttrKind::kAny)
    .Optional("max_size", AttrKind::kAny)
    .Optional("aspect_ratio", AttrKind::kAny)
    .Int("img_h", 0)
    .Int("img_w", 0)
    .Float("step_h", 0)
    .Float("step_w", 0)
    .Bool("flip", true)
    .Bool("clip", false)
    .Float("offset", 0.5)
    .Optional("variance", AttrKind::kAny)
    .Traits(kValueFromType)
    .Infer(Infer);
REGISTER_COMPUTE_NODE_KERNEL(SSDPriorBox, SSDPriorBoxKernel);

}  // namespace ge
