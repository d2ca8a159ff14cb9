#pragma once
// Which stream runs which task of a plan, and which events order the streams. A pure function of the plan.
#include "ge_core/compile/model.h"

namespace ge {

struct StreamSchedule {
  int num_streams = 1;
  std::vector<int> stream;              // by task
  std::vector<std::vector<int>> waits;  // by task: earlier tasks on other streams that it starts after, by their events
};

// Values that may share memory have one class: the smallest value index among them.
GE_API std::vector<int> AliasClasses(const GraphPlan& plan);

// By task: earlier tasks that must have ended before it starts. For data, for control edges, for effects in program order, for
// writes into operands, and for arena memory that is used again.
GE_API std::vector<std::vector<int>> TaskDependencies(const GraphPlan& plan);

// A task follows one that it needs on that one's stream; independent branches get streams of their own, up to `max_streams`.
// Waits that another order implies are left out. Deterministic.
GE_API StreamSchedule MakeStreamSchedule(const GraphPlan& plan, int max_streams);

// An independent proof that the schedule keeps every order that the plan needs. It shares no code with the functions above.
// The failure names both tasks, their streams, and what they share.
GE_API Status VerifyStreamSchedule(const GraphPlan& plan, const StreamSchedule& schedule);

}  // namespace ge
