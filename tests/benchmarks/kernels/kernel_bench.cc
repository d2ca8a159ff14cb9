// Single nodes on our engines, against the limits of the machine:
//   kernel-bench [--threads=N] [--peak_flops=F] [--read_bandwidth=BYTES:RATE,...] [Google Benchmark's flags]
// Counters: FLOP/s, B/s of operands and results, and, where the peaks are given (tests/benchmarks/kernels.py measures and gives them),
// the share of the limit max(FLOP / peak, bytes / bandwidth): 1 is a kernel that cannot be faster.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <sstream>
#include <thread>

#include "tests/benchmarks/kernels/node_runner.h"

namespace ge::bench {
namespace {

struct Machine {
  int threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  double peak_flops = std::numeric_limits<double>::quiet_NaN();
  std::map<double, double> read_bandwidth;  // bytes of a working set -> bytes a second

  // Smaller sets are read no slower: what the largest measured set that is not larger reads, or any larger one.
  double Bandwidth(double bytes) const {
    auto it = read_bandwidth.upper_bound(bytes);
    if (it != read_bandwidth.begin()) --it;
    double rate = 0;
    for (; it != read_bandwidth.end(); ++it) rate = std::max(rate, it->second);
    return rate;
  }
  double LimitSeconds(double flop, double bytes) const { return std::max(flop / peak_flops, bytes / Bandwidth(bytes)); }
  bool known() const { return peak_flops > 0 && !read_bandwidth.empty(); }
};

// Takes our flags out of the arguments; false with a message where one is malformed.
bool TakeFlags(int& argc, char** argv, Machine& machine) {
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    std::istringstream value(equals == std::string::npos ? "" : argument.substr(equals + 1));
    bool good = true;
    if (name == "--threads") {
      good = (value >> machine.threads) && machine.threads > 0;
    } else if (name == "--peak_flops") {
      good = (value >> machine.peak_flops) && machine.peak_flops > 0;
    } else if (name == "--read_bandwidth") {
      double bytes = 0, rate = 0;
      char colon = 0, comma = ',';
      while (good && comma == ',') {
        good = (value >> bytes >> colon >> rate) && colon == ':' && rate > 0;
        machine.read_bandwidth[bytes] = rate;
        if (!(value >> comma)) break;
      }
    } else {
      argv[kept++] = argv[i];
    }
    if (!good) {
      std::fprintf(stderr, "kernel-bench: bad value in %s\n", argument.c_str());
      return false;
    }
  }
  argc = kept;
  return true;
}

void Measure(benchmark::State& state, const KernelCase& kernel_case, const Machine& machine) {
  auto runner = NodeRunner::Create(kernel_case, machine.threads);
  if (!runner.ok()) {
    state.SkipWithError(runner.message().c_str());
    return;
  }
  const auto start = std::chrono::steady_clock::now();
  for (auto _ : state) {
    const Status status = (*runner)->Run();
    if (!status.ok()) {
      state.SkipWithError(status.message().c_str());
      return;
    }
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  using benchmark::Counter;
  const double bytes = (*runner)->bytes();
  state.SetLabel(std::string((*runner)->engine().name()));
  state.counters["FLOP/s"] = Counter(kernel_case.flop, Counter::kIsIterationInvariantRate);
  state.counters["B/s"] = Counter(bytes, Counter::kIsIterationInvariantRate);
  if (machine.known())
    state.counters["of_limit"] = machine.LimitSeconds(kernel_case.flop, bytes) * static_cast<double>(state.iterations()) / elapsed.count();
}

}  // namespace
}  // namespace ge::bench

int main(int argc, char** argv) {
  ge::bench::Machine machine;
  if (!ge::bench::TakeFlags(argc, argv, machine)) return 2;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const auto& cases : {ge::bench::MatMuls(), ge::bench::Convolutions()}) {
    for (const ge::bench::KernelCase& c : cases) {
      benchmark::RegisterBenchmark(c.name.c_str(), [c, &machine](benchmark::State& state) { ge::bench::Measure(state, c, machine); })
          ->UseRealTime()
          ->Unit(benchmark::kMicrosecond);
    }
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
