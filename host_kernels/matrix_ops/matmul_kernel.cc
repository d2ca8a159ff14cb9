#include "host_kernels/matrix_ops/matmul_kernel.h"

namespace ge::nn {
namespace {

// The scalar in the type elements are computed in; an integer product refuses a fractional factor, as PyTorch does.
template <typename W>
Result<W> ScalarAs(const Attr& a, std::string_view op) {
  if constexpr (std::is_integral_v<W>) {
    if (const int64_t* i = a.Get<int64_t>()) return static_cast<W>(*i);
    return InvalidArgument(StrCat(op, ": an integer matrix product needs integer alpha and beta, found ", ToString(a)));
  } else if constexpr (elem::kIsComplex<W>) {
    if (auto* c = a.Get<std::complex<double>>()) return W(*c);
    if (auto d = a.AsDouble()) return W(*d);
  } else {
    if (auto d = a.AsDouble()) return static_cast<W>(*d);
  }
  return InvalidArgument(StrCat(op, ": expected a number, found ", ToString(a)));
}

}  // namespace

Status ReferenceMatMul(const MatMulProblem& p, Tensor& y, std::string_view op) {
  return elem::VisitArithmetic(y.dtype(), op, [&](auto tag) -> Status {
    using T = typename decltype(tag)::type;
    using W = elem::Wide<T>;
    GE_ASSIGN_OR_RETURN(const W alpha, ScalarAs<W>(p.alpha, op));
    GE_ASSIGN_OR_RETURN(const W beta, ScalarAs<W>(p.beta, op));
    const T* x1 = static_cast<const T*>(p.x1.data);
    const T* x2 = static_cast<const T*>(p.x2.data);
    const T* bias = static_cast<const T*>(p.bias);
    T* out = y.mutable_data<T>();
    const bool use_bias = bias && beta != W(0);  // beta = 0 ignores NaN in the bias, as PyTorch does
    for (size_t b = 0; b < p.x1.batch_offsets.size(); ++b) {
      const T* a0 = x1 + p.x1.batch_offsets[b];
      const T* b0 = x2 + p.x2.batch_offsets[b];
      for (int64_t i = 0; i < p.m; ++i) {
        for (int64_t j = 0; j < p.n; ++j, ++out) {
          W sum = W(0);
          for (int64_t k = 0; k < p.k; ++k) {
            const W l = elem::Widen<T>(a0[i * p.x1.row_stride + k * p.x1.column_stride]);
            const W r = elem::Widen<T>(b0[k * p.x2.row_stride + j * p.x2.column_stride]);
            sum = elem::WrapAdd<W>(sum, elem::WrapMul<W>(l, r));
          }
          if (alpha != W(1)) sum = elem::WrapMul<W>(alpha, sum);
          if (use_bias) {
            W c = elem::Widen<T>(bias[p.bias_offsets[b] + i * p.bias_row_stride + j * p.bias_column_stride]);
            if (beta != W(1)) c = elem::WrapMul<W>(beta, c);
            sum = elem::WrapAdd<W>(sum, c);
          }
          *out = elem::Narrow<T>(sum);
        }
      }
    }
    return {};
  });
}

}  // namespace ge::nn
