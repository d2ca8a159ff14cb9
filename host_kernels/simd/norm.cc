// LayerNormV4 and RmsNorm over the trailing axes, f32: two passes over each row, as it lies in the cache.
#include <cmath>
#include <limits>

#include "host_kernels/simd/kernels.h"

namespace ge::simd {
namespace {

struct Rows {
  int64_t inner = 0, rows = 0;
  float epsilon = 0;
  bool centred = false;  // LayerNorm
};

// Rows [begin, end). mean is null for RmsNorm.
GE_SIMD_CLONES void Normalise(const Rows& p, const float* x, const float* gamma, const float* beta, float* y, float* mean, float* rstd,
                              int64_t begin, int64_t end) {
  const int64_t n = p.inner;
  const float count = static_cast<float>(n);
  for (int64_t r = begin; r < end; ++r) {
    const float* row = x + r * n;
    float* out = y + r * n;
    float centre = 0;
    if (p.centred) {
      float sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < n; ++i) sum += row[i];
      centre = sum / count;
    }
    float squares = 0;
#pragma omp simd reduction(+ : squares)
    for (int64_t i = 0; i < n; ++i) squares += (row[i] - centre) * (row[i] - centre);
    const float scale = 1.0F / std::sqrt(squares / count + p.epsilon);
    if (gamma && beta) {
#pragma omp simd
      for (int64_t i = 0; i < n; ++i) out[i] = (row[i] - centre) * scale * gamma[i] + beta[i];
    } else if (gamma) {
#pragma omp simd
      for (int64_t i = 0; i < n; ++i) out[i] = (row[i] - centre) * scale * gamma[i];
    } else {
#pragma omp simd
      for (int64_t i = 0; i < n; ++i) out[i] = (row[i] - centre) * scale + (beta ? beta[i] : 0.0F);
    }
    if (mean) mean[r] = centre;
    rstd[r] = scale;
  }
}

class Norm : public Executable {
 public:
  Norm(Rows problem, int gamma, int beta) : p_(problem), gamma_(gamma), beta_(beta) {}

  Status Run(KernelContext& context) const override {
    const auto input = [&](int i) -> Result<const float*> {
      if (i < 0) return static_cast<const float*>(nullptr);
      GE_ASSIGN_OR_RETURN(const char* const data, Data(context.inputs, i));
      return reinterpret_cast<const float*>(data);
    };
    const auto output = [&](int i) -> Result<float*> {
      GE_ASSIGN_OR_RETURN(char* const data, Data(context.outputs, i));
      return reinterpret_cast<float*>(data);
    };
    GE_ASSIGN_OR_RETURN(const float* const x, input(0));
    GE_ASSIGN_OR_RETURN(const float* const gamma, input(gamma_));
    GE_ASSIGN_OR_RETURN(const float* const beta, input(beta_));
    GE_ASSIGN_OR_RETURN(float* const y, output(0));
    float* mean = nullptr;
    if (p_.centred) { GE_ASSIGN_OR_RETURN(mean, output(1)); }
    GE_ASSIGN_OR_RETURN(float* const rstd, output(p_.centred ? 2 : 1));
    ParallelFor(context.num_threads, p_.rows, static_cast<double>(p_.rows * p_.inner),
                [&](int64_t begin, int64_t end) { Normalise(p_, x, gamma, beta, y, mean, rstd, begin, end); });
    return {};
  }

 private:
  Rows p_;
  int gamma_, beta_;  // numbers of the inputs; -1: absent
};

struct Read {
  Rows rows;
  int gamma = -1, beta = -1;
};

Result<Read> ReadNode(const Node& node) {
  Read r;
  r.rows.centred = node.Is("LayerNormV4");
  const int gamma = r.rows.centred ? 2 : 1;
  const auto has = [&](int i) { return i < node.num_inputs() && node.input(i); };
  if (has(gamma)) r.gamma = gamma;
  if (r.rows.centred && has(3)) r.beta = 3;
  for (int i : {0, r.gamma, r.beta}) {
    if (i < 0) continue;
    if (std::string why = CheckRows(StrCat("input ", i), node.input(i), DType::kF32); !why.empty()) return Unimplemented(why);
  }
  for (int i = 0; i < node.num_outputs(); ++i)
    if (std::string why = CheckRows(StrCat("output ", i), node.output(i), DType::kF32); !why.empty()) return Unimplemented(why);
  // The statistics have one element a row.
  r.rows.rows = node.output(r.rows.centred ? 2 : 1)->type().StaticNumElements();
  r.rows.inner = node.output()->type().StaticNumElements() / r.rows.rows;
  for (int i : {r.gamma, r.beta})
    if (i >= 0 && node.input(i)->type().StaticNumElements() != r.rows.inner) return Unimplemented("a weight is not one row");
  // Without epsilon PyTorch takes the machine epsilon.
  r.rows.epsilon = static_cast<float>(node.attr("epsilon").AsDouble().value_or(double{std::numeric_limits<float>::epsilon()}));
  return r;
}

Support Supports(const Node& node) {
  auto r = ReadNode(node);
  return r.ok() ? Support::Yes() : Support::No(StrCat(node.op().name, ": ", r.message()));
}

Result<std::unique_ptr<Executable>> Load(const Node& node) {
  GE_ASSIGN_OR_RETURN(const Read r, ReadNode(node));
  return std::unique_ptr<Executable>(std::make_unique<Norm>(r.rows, r.gamma, r.beta));
}

}  // namespace

const OpRow kLayerNormRow{"LayerNormV4", Supports, Load};
const OpRow kRmsNormRow{"RmsNorm", Supports, Load};

}  // namespace ge::simd
