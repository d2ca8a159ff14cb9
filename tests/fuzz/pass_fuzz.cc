// Differential fuzzing of the passes: random graphs through the whole pipeline, through single passes and through random
// sequences of passes; values bit by bit before and after.
//   pass-fuzz --seconds N [--seed N]
#include <unistd.h>
#include <csignal>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "tests/fuzz/pass_check.h"

namespace {

// A crash says which graph it was.
volatile uint64_t current_seed = 0;
void OnCrash(int signal) {
  char text[64];
  const int n = std::snprintf(text, sizeof text, "pass-fuzz: crashed at seed %llu\n", static_cast<unsigned long long>(current_seed));
  if (n > 0) (void)!write(2, text, static_cast<size_t>(n));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

int main(int argc, char** argv) {
  using namespace ge;
  double seconds = 10;
  uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!std::strcmp(argv[i], "--seconds")) seconds = std::atof(argv[i + 1]);
    if (!std::strcmp(argv[i], "--seed")) seed = std::strtoull(argv[i + 1], nullptr, 10);
  }
  const PassRegistry registry = PassRegistry::WithBuiltins();
  const HostCpuEngine engine(&HostKernels());
  const std::vector<std::string> passes = fuzz::ExactPasses(registry, engine);
  for (int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS}) std::signal(signal, OnCrash);
  const auto start = std::chrono::steady_clock::now();
  int64_t graphs = 0, executed = 0, changed = 0;
  for (; std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() < seconds; ++seed, ++graphs) {
    current_seed = seed;
    std::mt19937_64 rng(seed ^ 0x9e3779b97f4a7c15ull);
    std::vector<std::string> chosen;
    if (seed % 3 != 0)
      for (size_t n = seed % 3 == 1 ? 1 : 2 + rng() % 6; n-- > 0;) chosen.push_back(passes[rng() % passes.size()]);
    const fuzz::PassCheck check = fuzz::CheckPasses(seed, chosen, registry, engine);
    executed += check.executed, changed += check.changed;
    if (!check.failure.empty()) {
      std::cerr << "pass-fuzz: " << check.failure << '\n';
      return 1;
    }
  }
  std::cout << "pass-fuzz: " << graphs << " graphs, " << changed << " changed, " << executed
            << " executed before and after, no difference\n";
  return 0;
}
