#include "ge_core/passes/cleanup/permutation.h"

#include <algorithm>
#include <numeric>

namespace ge {
namespace {

constexpr std::string_view kOps[] = {"Transpose", "TransposeD", "Permute"};

}  // namespace

std::span<const std::string_view> PermutingOps() { return kOps; }

bool PermutesAxes(const Node& node) {
  return std::any_of(std::begin(kOps), std::end(kOps), [&](std::string_view op) { return node.Is(op); });
}

std::optional<std::vector<int64_t>> PermutationOf(const Node& node) {
  if (!PermutesAxes(node) || !node.input(0)->type().IsTensor()) return std::nullopt;
  const int64_t rank = node.input(0)->type().rank();
  const auto axis = [rank](int64_t a) { return a < 0 ? a + rank : a; };
  std::vector<int64_t> perm;
  if (node.Is("TransposeD")) {
    perm = node.Ints("perm");
  } else if (node.Is("Permute")) {
    perm = node.Ints("order");
  } else if (node.num_inputs() > 1 && node.input(1)) {
    const auto values = ConstInts(node.input(1));
    if (!values) return std::nullopt;
    perm = *values;
  } else {
    perm.resize(static_cast<size_t>(rank));
    std::iota(perm.begin(), perm.end(), 0);
    const Attr a = node.attr("dim0"), b = node.attr("dim1");
    if (a.IsNone() && b.IsNone()) {
      std::reverse(perm.begin(), perm.end());
    } else if (rank > 0) {
      const int64_t i = axis(node.Int("dim0")), j = axis(node.Int("dim1"));
      if (std::min(i, j) < 0 || std::max(i, j) >= rank) return std::nullopt;
      std::swap(perm[static_cast<size_t>(i)], perm[static_cast<size_t>(j)]);
    }
  }
  for (int64_t& p : perm) p = axis(p);
  std::vector<int64_t> sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  for (int64_t i = 0; i < rank; ++i)
    if (static_cast<int64_t>(sorted.size()) != rank || sorted[static_cast<size_t>(i)] != i) return std::nullopt;
  return perm;
}

}  // namespace ge
