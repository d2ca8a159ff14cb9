#include "host_kernels/array_ops/squeeze_infer.h"

#include <algorithm>

namespace ge {

Result<Types> InferSqueeze(const ValueType& x, const std::vector<int64_t>* axes, std::string_view op) {
  std::vector<bool> listed(static_cast<size_t>(x.rank()), axes == nullptr);
  if (axes) {
    GE_ASSIGN_OR_RETURN(const std::vector<int64_t> normalised, NormalizeAxes(*axes, x.rank(), op));
    for (int64_t a : normalised)
      if (a < x.rank()) listed[static_cast<size_t>(a)] = true;  // a scalar has no axis to drop
  }
  Shape shape;
  for (size_t i = 0; i < listed.size(); ++i) {
    const Dim& d = x.shape()[i];
    if (!listed[i]) {
      shape.push_back(d);
      continue;
    }
    if (d.Is(1)) continue;
    // A symbol may turn out to be 1 only if tracing specialised on it, and then it would be a number here.
    if (d.IsUnknown())
      return Unimplemented(StrCat(op, ": axis ", static_cast<int64_t>(i), " has an unknown extent, so the rank of the result is unknown"));
    if (d.IsSymbolic())
      return Unimplemented(
          StrCat(op, ": whether axis ", static_cast<int64_t>(i), " of extent ", d.ToString(), " is dropped depends on run time"));
    shape.push_back(d);
  }
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

Result<Types> InferUnsqueeze(const ValueType& x, std::span<const int64_t> axes, std::string_view op) {
  const int64_t rank = x.rank() + static_cast<int64_t>(axes.size());
  GE_ASSIGN_OR_RETURN(const std::vector<int64_t> normalised, NormalizeAxes(axes, rank, op));
  Shape shape;
  auto next = x.shape().begin();
  for (int64_t i = 0; i < rank; ++i)
    shape.push_back(std::find(normalised.begin(), normalised.end(), i) != normalised.end() ? Dim(1) : *next++);
  return Types{ValueType::Tensor(x.dtype(), std::move(shape))};
}

}  // namespace ge
