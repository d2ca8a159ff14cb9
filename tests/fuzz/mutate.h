#pragma once
// A small mutation fuzzer that needs no libFuzzer: g++ builds it, ASan and UBSan judge.
//   <name>-fuzz [--seconds N] [--seed N] [FILE...]     with files: runs just these, to reproduce a crash
// The input at hand is written to <name>-fuzz-<seed>.last, so that a crash leaves it behind.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace ge::fuzz {

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

class Mutator {
 public:
  Mutator(uint64_t seed, std::vector<std::string> corpus, std::vector<std::string> tokens)
      : rng_(seed), corpus_(std::move(corpus)), tokens_(std::move(tokens)) {}

  std::string Next() {
    std::string s = Pick(corpus_);
    for (uint64_t n = 1 + rng_() % 6; n-- > 0;) Once(s);
    if (s.size() > 20000) s.resize(20000);
    return s;
  }
  // An input that was accepted joins the corpus, which stays bounded.
  void Keep(std::string s) {
    if (corpus_.size() < 2000)
      corpus_.push_back(std::move(s));
    else
      corpus_[rng_() % corpus_.size()] = std::move(s);
  }

 private:
  const std::string& Pick(const std::vector<std::string>& v) { return v[rng_() % v.size()]; }

  void Once(std::string& s) {
    const size_t at = s.empty() ? 0 : rng_() % s.size(), length = std::min<size_t>(s.size() - at, 1 + rng_() % 24);
    switch (rng_() % 9) {
      case 0:
        if (!s.empty()) s[at] = static_cast<char>(rng_());
        break;
      case 1:
        if (!s.empty()) s[at] = static_cast<char>(s[at] ^ (1 << rng_() % 8));
        break;
      case 2: s.erase(at, length); break;
      case 3: s.insert(at, s.substr(at, length)); break;
      case 4: s.insert(at, Pick(tokens_)); break;
      case 5: s.replace(at, length, Pick(tokens_)); break;
      case 6: {  // splice with another
        const std::string& other = Pick(corpus_);
        const size_t from = other.empty() ? 0 : rng_() % other.size();
        s.replace(at, length, other.substr(from, 1 + rng_() % 200));
        break;
      }
      case 7: {  // repeat a piece many times: nesting
        std::string piece = s.substr(at, 1 + rng_() % 3), many;
        for (uint64_t n = rng_() % 400; n-- > 0;) many += piece;
        s.insert(at, many);
        break;
      }
      default: s.resize(at); break;
    }
  }

  std::mt19937_64 rng_;
  std::vector<std::string> corpus_, tokens_;
};

// `check` returns true if the input was accepted; it aborts on a broken promise.
inline int Main(int argc, char** argv, const std::string& name, const std::vector<std::string>& corpus,
                const std::vector<std::string>& tokens, const std::function<bool(const std::string&)>& check) {
  double seconds = 10;
  uint64_t seed = 1;
  bool ran = false;
  for (int i = 1; i < argc; ++i) {
    const std::string arg = argv[i];
    if (arg == "--seconds" && i + 1 < argc)
      seconds = std::atof(argv[++i]);
    else if (arg == "--seed" && i + 1 < argc)
      seed = std::strtoull(argv[++i], nullptr, 10);
    else
      ran = true, std::cout << arg << ": " << (check(ReadFile(arg)) ? "accepted" : "refused") << '\n';
  }
  if (ran) return 0;
  for (const std::string& s : corpus) {
    if (check(s)) continue;
    std::cerr << name << ": a corpus entry is refused:\n" << s.substr(0, 400) << '\n';
    return 1;
  }
  const std::string last = name + "-" + std::to_string(seed) + ".last";
  std::cout << name << ": seed " << seed << "; a crash leaves its input in " << last << std::endl;
  Mutator mutator(seed, corpus, tokens);
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  uint64_t runs = 0, accepted = 0;
  while (std::chrono::steady_clock::now() < end) {
    const std::string input = mutator.Next();
    std::ofstream(last, std::ios::binary) << input;
    ++runs;
    if (check(input)) ++accepted, mutator.Keep(input);
  }
  std::filesystem::remove(last);
  std::cout << name << ": seed " << seed << ", " << runs << " inputs, " << accepted << " accepted, no failure\n";
  return 0;
}

// The modules under tests/fuzz/corpus, in name order.
inline std::vector<std::string> Corpus() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(GE_SOURCE_DIR "/tests/fuzz/corpus"))
    if (entry.path().extension() == ".ge") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& f : files) texts.push_back(ReadFile(f));
  return texts;
}

}  // namespace ge::fuzz
