#pragma once
// The calling thread's rounding mode and flushing of subnormals (MXCSR), carried to the threads that work for it:
// torch.set_flush_denormal(True) holds for all of a tensor, whatever thread computes a part of it.
#include <omp.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace ge {

class FloatState {
 public:
  // In the calling thread, before a parallel region.
#if defined(__x86_64__)
  FloatState() : control_(_mm_getcsr() & kControl) {}
  // In each thread of the region.
  void Adopt() const {
    const unsigned now = _mm_getcsr();
    if ((now & kControl) != control_) _mm_setcsr((now & ~kControl) | control_);
  }
  // For libraries that open regions themselves: gives the state to the threads that the calling thread will be joined by. Costs a
  // region where the state has changed since, else a comparison.
  static void Carry(int threads) {
    if (threads <= 1) return;
    thread_local unsigned carried = kDefault;
    thread_local int reached = 1;
    const FloatState state;
    if (state.control_ == carried && (carried == kDefault || threads <= reached)) return;
#pragma omp parallel num_threads(threads)
    state.Adopt();
    carried = state.control_;
    reached = threads;
  }

 private:
  static constexpr unsigned kControl = ~0x3fU & 0xffffU;  // all but the sticky flags
  static constexpr unsigned kDefault = 0x1f80;
  unsigned control_;
#else
  void Adopt() const {}
  static void Carry(int) {}
#endif
};

}  // namespace ge
