// Runs <group>/<op>.txt: cases of the element-wise reference kernels with the answers of eager PyTorch, written by
// make_eager_cases.py. Parsing checks shape inference too, because a written type must equal the inferred one.
#include "tests/host_kernels/cases.h"

namespace ge {
namespace {
using namespace ge::testing;

class ElewiseCases : public ::testing::TestWithParam<std::string> {};

TEST_P(ElewiseCases, EqualEager) {
  const std::vector<Case> cases = ReadCases(std::filesystem::path(GE_SOURCE_DIR) / "tests/host_kernels" / GetParam());
  EXPECT_FALSE(cases.empty());
  for (const Case& c : cases) {
    ASSERT_TRUE(c.verdict.starts_with("tolerance ")) << c.verdict;
    const double tolerance = std::stod(c.verdict.substr(10));
    auto module = ParseModule(c.text, HostOps());
    if (!module.ok()) {
      ADD_FAILURE() << module.message() << "\n" << c.text;
      continue;
    }
    auto results = RunModule(**module);
    if (!results.ok()) {
      ADD_FAILURE() << results.message() << "\n" << c.text;
      continue;
    }
    for (size_t i = 0; i + 1 < results->size(); i += 2)
      if (const std::string d = Difference((*results)[i], (*results)[i + 1], tolerance); !d.empty())
        ADD_FAILURE() << "result " << i / 2 << ": " << d << "\n" << c.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, ElewiseCases, ::testing::ValuesIn(CaseFiles({"elewise_calculation_ops", "nonlinear_ops", "selection_ops"})),
                         CaseName);

}  // namespace
}  // namespace ge
