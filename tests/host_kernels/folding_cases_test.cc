// Runs folding/<op>.txt: the kernels that constant folding has of its own on a grid of dtypes, shapes and corner values, written
// by make_folding_cases.py with the answers of eager PyTorch (or of a formula in numpy where ATen has no such operator).
#include "tests/host_kernels/cases.h"

namespace ge {
namespace {
using namespace ge::testing;

class FoldingCases : public ::testing::TestWithParam<std::string> {};

// Empty holds whatever memory held: only its type is compared.
bool HasValues(const Node& node) { return !node.Is("Empty"); }

// What reading and running the module gives.
Result<std::vector<Tensor>> ReadAndRun(const std::string& text, bool* compare) {
  GE_ASSIGN_OR_RETURN(const std::unique_ptr<Module> module, ParseModule(text, HostOps()));
  *compare = true;
  for (const Node* n : module->entry().nodes()) *compare &= HasValues(*n);
  return RunModule(*module);
}

TEST_P(FoldingCases, EqualEager) {
  const std::vector<Case> cases = ReadCases(std::filesystem::path(GE_SOURCE_DIR) / "tests/host_kernels" / GetParam());
  EXPECT_FALSE(cases.empty());
  for (const Case& c : cases) {
    bool compare = true;
    auto results = ReadAndRun(c.text, &compare);
    if (c.verdict.starts_with("tolerance ")) {
      if (!results.ok()) {
        ADD_FAILURE() << results.message() << "\n" << c.text;
        continue;
      }
      for (size_t i = 0; i + 1 < results->size(); i += 2) {
        const Tensor &got = (*results)[i], &want = (*results)[i + 1];
        if (!compare && SameLogicalType(got.type(), want.type())) continue;
        if (const std::string d = Difference(got, want, std::stod(c.verdict.substr(10))); !d.empty())
          ADD_FAILURE() << "result " << i / 2 << ": " << d << "\n" << c.text;
      }
      continue;
    }
    if (results.ok()) {
      ADD_FAILURE() << "a value where it should be: " << c.verdict << "\n" << c.text;
      continue;
    }
    // A type that the generator wrote wrong is no refusal by the operator.
    EXPECT_EQ(results.message().find("is given as"), std::string::npos) << results.message() << "\n" << c.text;
    if (c.verdict == "left to eager") {
      EXPECT_EQ(results.code(), Code::kUnimplemented) << results.message() << "\n" << c.text;
    } else {
      ASSERT_EQ(c.verdict, "raises");
      EXPECT_NE(results.code(), Code::kInternal) << results.message() << "\n" << c.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, FoldingCases, ::testing::ValuesIn(CaseFiles({"folding"})), CaseName);

}  // namespace
}  // namespace ge
