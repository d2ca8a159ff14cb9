// Runs tests/ge_core/golden/*.ge; the format is in docs/text_ir.md. Text is compared exactly; the modules before and after
// the passes are also run on seeded inputs with the reference kernels, and compared bitwise or, where a pass is of class
// tolerance, nearly. Under a line "// VALUES DIFFER" they must not be equal: for what only a user's wish justifies.
// GE_ACCEPT=1 rewrites the EXPECT blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "ge_core/base/str.h"
#include "ge_core/eval/random_inputs.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"
#include "ge_core/passes/pipeline.h"
#include "host_kernels/ops.h"

namespace ge {
namespace {

constexpr std::string_view kSeparator = "// -----", kRun = "// RUN:", kExpect = "// EXPECT",
                           kError = "// error: ", kDiffer = "// VALUES DIFFER";

std::vector<std::filesystem::path> Files() {
  std::vector<std::filesystem::path> files;
  for (const auto& e : std::filesystem::directory_iterator(GE_SOURCE_DIR "/tests/ge_core/golden"))
    if (e.path().extension() == ".ge") files.push_back(e.path());
  std::sort(files.begin(), files.end());
  return files;
}

struct Case {
  std::string input;  // up to the EXPECT or error line: comments are the parser's to skip, so that lines count from here
  std::vector<std::string> passes;
  std::string expect;   // the text after EXPECT
  std::string error;    // or the message after "error: "
  bool differ = false;  // the passes change the values, which only a user's wish can justify
};

std::vector<Case> ReadCases(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::vector<Case> cases(1);
  bool expecting = false;
  for (std::string line; std::getline(in, line);) {
    Case& c = cases.back();
    if (line.starts_with(kSeparator)) {
      cases.emplace_back();
      expecting = false;
    } else if (line.starts_with(kExpect)) {
      expecting = true;
    } else if (line.starts_with(kError)) {
      c.error = line.substr(kError.size());
    } else if (expecting) {
      c.expect += line + '\n';
    } else {
      c.input += line + '\n';
      c.differ |= line.starts_with(kDiffer);
      if (line.starts_with(kRun)) {
        std::istringstream list(line.substr(kRun.size()));
        for (std::string name; std::getline(list, name, ',');) {
          std::erase(name, ' ');
          if (!name.empty()) c.passes.push_back(name);
        }
      }
    }
  }
  return cases;
}

Status RunPasses(Module& module, const std::vector<std::string>& names, const HostCpuEngine& evaluator) {
  GE_RETURN_IF_ERROR(Verify(module));
  if (names.empty()) return {};
  PassManagerOptions options;
  options.verify = [](const Module& m) { return Verify(m); };
  options.check_changed_flag = true;
  const PassRegistry registry = PassRegistry::WithBuiltins();
  PotentialConsts marks;
  for (const auto& graph : module.graphs()) marks.TakeFromAttributes(*graph);
  const PassContext context{.evaluator = &evaluator, .potential_consts = &marks};
  GE_ASSIGN_OR_RETURN(PassManager manager, BuildFromNames(names, registry, context, std::move(options)));
  GE_RETURN_IF_ERROR(manager.Run(module));
  for (const auto& graph : module.graphs()) marks.WriteAsAttributes(*graph);
  return {};
}

struct Counts {
  int cases = 0, executed = 0, skipped = 0;
};

// Class tolerance: two roundings of a few sums.
constexpr double kTolerance = 1e-6;

bool Tolerant(const std::vector<std::string>& passes) {
  const PassRegistry registry = PassRegistry::WithBuiltins();
  return std::any_of(passes.begin(), passes.end(), [&](const std::string& name) {
    const PassDef* def = registry.Find(name.substr(0, name.find('?')));
    return def && !def->bit_exact;
  });
}

void Execute(const Module& before, const Module& after, bool tolerant, bool differ, const HostCpuEngine& evaluator, Counts* counts) {
  for (int round = 0; round < 3; ++round) {
    auto inputs = RandomInputs(before, round, tolerant);
    auto want = inputs.ok() ? Evaluate(before, *inputs, evaluator) : Result<EvalResult>(std::move(inputs).status());
    if (!want.ok()) {
      ++counts->skipped;
      std::cout << "  not executed: " << want.message() << '\n';
      return;
    }
    auto got = Evaluate(after, *inputs, evaluator);
    ASSERT_TRUE(got.ok()) << got.message() << '\n' << Print(after);
    if (differ) {
      EXPECT_NE(ResultDifference(*want, *got, *inputs), "") << "values are the same in round " << round;
      continue;
    }
    EXPECT_EQ(ResultDifference(*want, *got, *inputs, tolerant ? kTolerance : 0), "") << "values changed in round " << round << '\n'
                                                                                     << Print(before) << Print(after);
  }
  ++counts->executed;
}

class Golden : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Golden, File) {
  const bool accept = std::getenv("GE_ACCEPT") && std::string_view(std::getenv("GE_ACCEPT")) == "1";
  const HostCpuEngine evaluator(&HostKernels());
  Counts counts;
  std::string rewritten;
  for (const Case& c : ReadCases(GetParam())) {
    ++counts.cases;
    if (!rewritten.empty()) rewritten += StrCat(kSeparator, "\n");
    rewritten += c.input;
    auto module = ParseModule(c.input, HostOps());
    std::unique_ptr<Module> before = module.ok() ? (*module)->Clone() : nullptr;
    Status status = module.ok() ? RunPasses(**module, c.passes, evaluator) : std::move(module).status();
    if (!status.ok()) {
      rewritten += StrCat(kError, status.message().substr(0, status.message().find('\n')), "\n");
      if (accept) {
        if (c.error != status.message()) std::cout << "- " << c.error << "\n+ " << status.message() << '\n';
      } else if (c.error.empty()) {
        ADD_FAILURE() << status.message() << "\nin\n" << c.input;
      } else {
        EXPECT_EQ(status.message().substr(0, status.message().find('\n')), c.error) << c.input;
      }
      continue;
    }
    const std::string text = Print(**module);
    rewritten += StrCat(kExpect, "\n", text);
    if (accept) {
      if (text != c.expect) std::cout << "--- old\n" << c.expect << "+++ new\n" << text;
    } else {
      EXPECT_EQ(c.error, "") << "an error was expected in\n" << c.input;
      EXPECT_EQ(text, c.expect) << c.input;
    }
    Execute(*before, **module, Tolerant(c.passes), c.differ, evaluator, &counts);
  }
  if (accept) std::ofstream(GetParam()) << rewritten;
  std::cout << "  " << counts.cases << " cases, " << counts.executed << " executed, " << counts.skipped << " not executed\n";
}

INSTANTIATE_TEST_SUITE_P(All, Golden, testing::ValuesIn(Files()), [](const auto& param) {
  std::string name = param.param.stem().string();
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

}  // namespace
}  // namespace ge
