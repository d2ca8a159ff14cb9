#pragma once
// Limits OpenMP in this scope and thread. For libraries whose kernels ask OpenMP how many threads there are: waking a second
// one takes microseconds, more than a small task lasts.
#include <omp.h>

namespace ge {

class ThreadCount {
 public:
  explicit ThreadCount(int wanted) : before_(omp_get_max_threads()), changed_(wanted > 0 && wanted != before_) {  // 0: as it is
    if (changed_) omp_set_num_threads(wanted);
  }
  ~ThreadCount() {
    if (changed_) omp_set_num_threads(before_);
  }
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
  bool changed_;
};

}  // namespace ge
