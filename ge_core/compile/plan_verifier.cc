#include "ge_core/compile/plan_verifier.h"

#include <algorithm>
#include <map>

#include "ge_core/base/str.h"

namespace ge {
namespace {

std::string Describe(std::span<const BufferRequest> requests, const MemoryPlan& plan, size_t i) {
  return StrCat("buffer ", i, " (tasks ", requests[i].first, "..", requests[i].last, ", bytes [", plan.offsets[i], ", ",
                plan.offsets[i] + requests[i].bytes, "))");
}

}  // namespace

Status VerifyMemoryPlan(std::span<const BufferRequest> requests, const MemoryPlan& plan) {
  if (plan.offsets.size() != requests.size())
    return Internal(StrCat("memory plan: ", plan.offsets.size(), " offsets for ", requests.size(), " buffers"));
  for (size_t i = 0; i < requests.size(); ++i) {
    const BufferRequest& r = requests[i];
    const int64_t offset = plan.offsets[i];
    if (offset < 0 || r.bytes < 0 || offset > plan.total || r.bytes > plan.total - offset)
      return Internal(StrCat("memory plan: ", Describe(requests, plan, i), " lies outside the arena of ", plan.total, " bytes"));
    if (r.alignment > 0 && offset % r.alignment != 0)
      return Internal(StrCat("memory plan: ", Describe(requests, plan, i), " is not aligned to ", r.alignment));
  }

  // Sweep over time. Buffers that are live at one moment are disjoint intervals of the address space as long as the
  // plan is sound, so a new one can only collide with its neighbours by address.
  struct Event {
    int64_t time;
    bool birth;  // deaths before births at equal times
    size_t buffer;
  };
  std::vector<Event> events;
  for (size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].bytes == 0) continue;
    events.push_back({requests[i].first, true, i});
    events.push_back({int64_t{requests[i].last} + 1, false, i});
  }
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return a.time != b.time ? a.time < b.time : (a.birth != b.birth ? b.birth : a.buffer < b.buffer);
  });
  std::map<int64_t, size_t> live;  // offset -> buffer
  for (const Event& e : events) {
    const int64_t begin = plan.offsets[e.buffer], end = begin + requests[e.buffer].bytes;
    if (!e.birth) {
      live.erase(begin);
      continue;
    }
    auto clash = [&](size_t other) {
      return Internal(StrCat("memory plan: ", Describe(requests, plan, e.buffer), " overlaps ", Describe(requests, plan, other),
                             " while both are live at task ", e.time));
    };
    auto next = live.lower_bound(begin);
    if (next != live.end() && next->first < end) return clash(next->second);
    if (next != live.begin()) {
      auto before = std::prev(next);
      if (before->first + requests[before->second].bytes > begin) return clash(before->second);
    }
    live.emplace(begin, e.buffer);
  }
  return {};
}

}  // namespace ge
