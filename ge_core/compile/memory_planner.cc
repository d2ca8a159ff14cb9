#include "ge_core/compile/memory_planner.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "ge_core/base/str.h"

namespace ge {
namespace {

int64_t AlignUp(int64_t value, int64_t alignment) { return (value + alignment - 1) & -alignment; }

Status CheckRequests(std::span<const BufferRequest> requests) {
  int64_t sum = 0;
  for (size_t i = 0; i < requests.size(); ++i) {
    const BufferRequest& r = requests[i];
    auto bad = [&](std::string_view what) {
      return InvalidArgument(StrCat("memory planner: buffer ", i, " ", what, " (bytes ", r.bytes, ", tasks ", r.first, "..", r.last,
                                    ", alignment ", r.alignment, ")"));
    };
    if (r.bytes < 0) return bad("has a negative size");
    if (r.last < r.first) return bad("ends before it starts");
    if (r.alignment <= 0 || (r.alignment & (r.alignment - 1)) != 0) return bad("needs an alignment that is a power of two");
    int64_t padded = 0;
    if (__builtin_add_overflow(r.bytes, int64_t{r.alignment} * 2, &padded) || __builtin_add_overflow(sum, padded, &sum))
      return bad("takes the sum of all buffers beyond 2^63 bytes");
  }
  return {};
}

// Places the requests in `order`, each into the smallest gap between the placed buffers that are live at the same
// time. Gives up (total = max) as soon as the arena reaches `limit`: a worse plan is of no use.
MemoryPlan PlaceInOrder(std::span<const BufferRequest> requests, const std::vector<int>& order, int64_t limit) {
  MemoryPlan plan;
  plan.offsets.assign(requests.size(), 0);
  std::vector<int> placed;  // by offset
  placed.reserve(order.size());
  for (int index : order) {
    const BufferRequest& r = requests[static_cast<size_t>(index)];
    int64_t top = 0, best = -1, best_waste = std::numeric_limits<int64_t>::max();
    for (int other : placed) {
      const BufferRequest& o = requests[static_cast<size_t>(other)];
      if (o.last < r.first || r.last < o.first) continue;
      const int64_t begin = plan.offsets[static_cast<size_t>(other)];
      const int64_t start = AlignUp(top, r.alignment);
      if (start + r.bytes <= begin && begin - start - r.bytes < best_waste) {
        best = start;
        best_waste = begin - start - r.bytes;
      }
      top = std::max(top, begin + o.bytes);
    }
    const int64_t offset = best >= 0 ? best : AlignUp(top, r.alignment);
    plan.offsets[static_cast<size_t>(index)] = offset;
    plan.total = std::max(plan.total, offset + r.bytes);
    if (plan.total >= limit) {
      plan.total = std::numeric_limits<int64_t>::max();
      return plan;
    }
    auto at =
        std::lower_bound(placed.begin(), placed.end(), offset, [&](int p, int64_t v) { return plan.offsets[static_cast<size_t>(p)] < v; });
    placed.insert(at, index);
  }
  return plan;
}

// For very many buffers: one sweep over time with a free list, best fit. O(N log N), a little less dense.
MemoryPlan PlaceBySweep(std::span<const BufferRequest> requests, std::vector<int> order) {
  MemoryPlan plan;
  plan.offsets.assign(requests.size(), 0);
  std::map<int64_t, int64_t> gaps;                // begin -> end
  std::set<std::pair<int64_t, int64_t>> by_size;  // (length, begin)
  auto add_gap = [&](int64_t begin, int64_t end) {
    if (begin == end) return;
    auto next = gaps.lower_bound(begin);
    if (next != gaps.end() && next->first == end) {
      end = next->second;
      by_size.erase({next->second - next->first, next->first});
      next = gaps.erase(next);
    }
    if (next != gaps.begin()) {
      auto before = std::prev(next);
      if (before->second == begin) {
        begin = before->first;
        by_size.erase({before->second - before->first, before->first});
        gaps.erase(before);
      }
    }
    gaps[begin] = end;
    by_size.insert({end - begin, begin});
  };
  std::set<std::pair<int, int>> live;  // (last, index)
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return requests[static_cast<size_t>(a)].first < requests[static_cast<size_t>(b)].first; });
  for (int index : order) {
    const BufferRequest& r = requests[static_cast<size_t>(index)];
    while (!live.empty() && live.begin()->first < r.first) {
      const size_t dead = static_cast<size_t>(live.begin()->second);
      live.erase(live.begin());
      add_gap(plan.offsets[dead], plan.offsets[dead] + requests[dead].bytes);
    }
    int64_t begin = -1;
    for (auto it = by_size.lower_bound({r.bytes, 0}); it != by_size.end(); ++it) {
      const int64_t start = AlignUp(it->second, r.alignment);
      if (start + r.bytes > it->second + it->first) continue;
      begin = start;
      const int64_t gap_begin = it->second, gap_end = it->second + it->first;
      by_size.erase(it);
      gaps.erase(gap_begin);
      add_gap(gap_begin, start);
      add_gap(start + r.bytes, gap_end);
      break;
    }
    if (begin < 0) {  // grow the arena, from a gap at its end if there is one
      int64_t top = plan.total;
      if (!gaps.empty() && std::prev(gaps.end())->second == top) {
        auto last = std::prev(gaps.end());
        top = last->first;
        by_size.erase({last->second - last->first, last->first});
        gaps.erase(last);
      }
      begin = AlignUp(top, r.alignment);
      add_gap(top, begin);
      plan.total = std::max(plan.total, begin + r.bytes);
      // A last gap larger than the request with no aligned fit leaves its tail free.
      add_gap(begin + r.bytes, plan.total);
    }
    plan.offsets[static_cast<size_t>(index)] = begin;
    live.insert({r.last, index});
  }
  return plan;
}

}  // namespace

int64_t ArenaLowerBound(std::span<const BufferRequest> requests) {
  std::map<int64_t, int64_t> change;  // task -> bytes that appear minus bytes that disappear
  for (const BufferRequest& r : requests) {
    change[r.first] += r.bytes;
    change[int64_t{r.last} + 1] -= r.bytes;
  }
  int64_t live = 0, peak = 0;
  for (const auto& [task, bytes] : change) peak = std::max(peak, live += bytes);
  return peak;
}

Result<MemoryPlan> PlanMemory(std::span<const BufferRequest> requests) {
  GE_RETURN_IF_ERROR(CheckRequests(requests));
  std::vector<int> order;  // empty buffers need no place
  for (size_t i = 0; i < requests.size(); ++i)
    if (requests[i].bytes > 0) order.push_back(static_cast<int>(i));
  auto at = [&](int i) -> const BufferRequest& { return requests[static_cast<size_t>(i)]; };
  auto length = [&](int i) { return int64_t{at(i).last} - at(i).first + 1; };

  MemoryPlan best = PlaceBySweep(requests, order);
  const int64_t bound = ArenaLowerBound(requests);
  // The placement costs O(N^2) comparisons an order; beyond this many buffers compile time counts for more.
  constexpr size_t kDenseLimit = 6000;
  if (order.size() > kDenseLimit) return best;

  using Key = std::function<std::pair<int64_t, int64_t>(int)>;
  const Key keys[] = {
      [&](int i) { return std::pair(-at(i).bytes, -length(i)); },                         // large first
      [&](int i) { return std::pair(-length(i), -at(i).bytes); },                         // long-lived first
      [&](int i) { return std::pair(-(at(i).bytes / 4096) * length(i), -at(i).bytes); },  // large area first
      [&](int i) { return std::pair(int64_t{at(i).first}, -at(i).bytes); },               // in order of birth
      [&](int i) { return std::pair(-int64_t{at(i).last}, -at(i).bytes); },               // in order of death, backwards
  };
  for (const Key& key : keys) {
    if (best.total <= bound) break;
    std::vector<int> sorted = order;
    std::stable_sort(sorted.begin(), sorted.end(), [&](int a, int b) { return key(a) < key(b); });
    MemoryPlan plan = PlaceInOrder(requests, sorted, best.total);
    if (plan.total < best.total) best = std::move(plan);
  }
  return best;
}

}  // namespace ge
