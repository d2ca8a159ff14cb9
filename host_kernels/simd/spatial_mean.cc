// ReduceMean over all axes behind batch and channels (global average pooling), f32: rows of a row-major tensor, or columns of a
// channels-last one as it lies. Sums are kept in double: images are long chains.
#include <algorithm>

#include "host_kernels/simd/kernels.h"

namespace ge::simd {
namespace {

constexpr int64_t kColumns = 64;  // channels that are summed together

struct Problem {
  int64_t images = 0, channels = 0, pixels = 0;
  bool channels_last = false;
};

// Channels [begin, end), counted through all images, of a row-major tensor.
GE_SIMD_CLONES void Rows(const float* x, int64_t pixels, float* y, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) {
    const float* row = x + i * pixels;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t k = 0; k < pixels; ++k) sum += static_cast<double>(row[k]);
    y[i] = static_cast<float>(sum / static_cast<double>(pixels));
  }
}

// `count` <= kColumns channels of one image; from one pixel to the next are `step` elements.
GE_SIMD_CLONES void Columns(const float* x, int64_t pixels, int64_t step, float* y, int64_t count) {
  double sums[kColumns] = {};
  for (int64_t k = 0; k < pixels; ++k) {
    const float* pixel = x + k * step;
#pragma omp simd
    for (int64_t c = 0; c < count; ++c) sums[c] += static_cast<double>(pixel[c]);
  }
  for (int64_t c = 0; c < count; ++c) y[c] = static_cast<float>(sums[c] / static_cast<double>(pixels));
}

class SpatialMean : public Executable {
 public:
  explicit SpatialMean(const Problem& problem) : p_(problem) {}

  Status Run(KernelContext& context) const override {
    GE_ASSIGN_OR_RETURN(const char* const in, Data(context.inputs, 0));
    GE_ASSIGN_OR_RETURN(char* const out, Data(context.outputs, 0));
    const float* x = reinterpret_cast<const float*>(in);
    float* y = reinterpret_cast<float*>(out);
    const double work = static_cast<double>(p_.images * p_.channels * p_.pixels);
    if (!p_.channels_last) {
      ParallelFor(context.num_threads, p_.images * p_.channels, work,
                  [&](int64_t begin, int64_t end) { Rows(x, p_.pixels, y, begin, end); });
      return {};
    }
    const int64_t groups = (p_.channels + kColumns - 1) / kColumns;
    ParallelFor(context.num_threads, p_.images * groups, work, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t image = i / groups, first = i % groups * kColumns;
        Columns(x + image * p_.pixels * p_.channels + first, p_.pixels, p_.channels, y + image * p_.channels + first,
                std::min(kColumns, p_.channels - first));
      }
    });
    return {};
  }

 private:
  Problem p_;
};

Result<Problem> Read(const Node& node) {
  if (std::string why = CheckTensor("x", node.input(0), DType::kF32); !why.empty()) return Unimplemented(why);
  if (std::string why = CheckRows("the output", node.output(), DType::kF32); !why.empty()) return Unimplemented(why);
  const ValueType& x = node.input(0)->type();
  const int64_t rank = x.rank();
  if (rank < 3) return Unimplemented(StrCat("no axes behind batch and channels: ", ToString(x)));
  const Tensor* given = node.num_inputs() > 1 && node.input(1) ? node.input(1)->producer()->const_value() : nullptr;
  if (!given || given->dtype() != DType::kI64) return Unimplemented("axes are no constant");
  std::vector<bool> reduced(static_cast<size_t>(rank));
  for (int64_t i = 0; i < given->num_elements(); ++i) {
    const int64_t axis = given->data<int64_t>()[i];
    if (axis < -rank || axis >= rank) return Unimplemented("an axis is out of range");
    reduced[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = true;
  }
  for (int64_t i = 0; i < rank; ++i)
    if (reduced[static_cast<size_t>(i)] != (i >= 2)) return Unimplemented("only means over all axes behind batch and channels");
  Problem p{x.shape()[0].value(), x.shape()[1].value(), 1, false};
  for (int64_t i = 2; i < rank; ++i) p.pixels *= x.shape()[static_cast<size_t>(i)].value();
  if (CheckRows("x", node.input(0), DType::kF32).empty()) return p;
  const std::vector<Dim> have = x.Strides();
  const StorageLayout last = ChannelsLast(x.shape());
  for (size_t i = 0; i < have.size(); ++i)
    if (!x.shape()[i].Is(1) && have[i] != last.strides[i]) return Unimplemented(StrCat("x has gaps: ", ToString(x)));
  p.channels_last = true;
  return p;
}

Support Supports(const Node& node) {
  auto p = Read(node);
  return p.ok() ? Support::Yes() : Support::No(StrCat(node.op().name, ": ", p.message()));
}

Result<std::unique_ptr<Executable>> Load(const Node& node) {
  GE_ASSIGN_OR_RETURN(const Problem p, Read(node));
  return std::unique_ptr<Executable>(std::make_unique<SpatialMean>(p));
}

// What comes out of convolutions is read as it lies.
std::vector<LayoutPreference> Preferences(const Node& node) {
  return {{LayoutPreference::Side::kInput, 0, ChannelsLast(node.input(0)->type().shape())}};
}

}  // namespace

const OpRow kSpatialMeanRow{"ReduceMean", Supports, Load, Preferences};

}  // namespace ge::simd
