#include "ge_core/base/nearest.h"

#include <algorithm>
#include <cctype>

namespace ge {
namespace {

size_t EditDistance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({row[j - 1] + 1, above + 1, diagonal + (lower(a[i - 1]) != lower(b[j - 1]))});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> Nearest(std::string_view wrong, std::span<const std::string_view> names, size_t count) {
  wrong = wrong.substr(0, 200);  // the distance is quadratic, and the text comes from a user
  std::vector<std::pair<size_t, std::string>> ranked;
  for (std::string_view name : names) {
    const size_t distance = EditDistance(wrong, name);
    if (distance * 2 <= std::max(wrong.size(), name.size())) ranked.emplace_back(distance, name);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (size_t i = 0; i < std::min(count, ranked.size()); ++i) out.push_back(std::move(ranked[i].second));
  return out;
}

std::string DidYouMean(std::string_view wrong, std::span<const std::string_view> names) {
  const std::vector<std::string> near = Nearest(wrong, names);
  std::string out = near.empty() ? "; valid are " : "; did you mean ";
  if (near.empty()) {
    for (size_t i = 0; i < names.size(); ++i) (out += i ? ", '" : "'").append(names[i]) += '\'';
    return out;
  }
  for (size_t i = 0; i < near.size(); ++i) (out += i == 0 ? "'" : i + 1 == near.size() ? " or '" : ", '").append(near[i]) += '\'';
  return out + "?";
}

}  // namespace ge
