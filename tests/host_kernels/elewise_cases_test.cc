// Runs <group>/<op>.txt: cases of the element-wise reference kernels with the answers of eager PyTorch, written by
// make_eager_cases.py. Parsing checks shape inference too, because a written type must equal the inferred one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "ge_core/ir/text.h"
#include "host_kernels/element_util.h"
#include "host_kernels/ops.h"

namespace ge {
namespace {

namespace fs = std::filesystem;

struct Case {
  double tolerance;
  std::string text;
};

std::vector<Case> ReadCases(const fs::path& path) {
  std::ifstream file(path);
  std::vector<Case> cases;
  constexpr std::string_view header = "// tolerance ";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(header))
      cases.push_back({std::stod(line.substr(header.size())), {}});
    else if (!cases.empty())
      cases.back().text += line + "\n";
  }
  return cases;
}

// Constants and kernels only. The values of NetOutput's operands, or the first failure.
Result<std::vector<Tensor>> RunModule(const Module& module) {
  std::map<const Value*, Tensor> values;
  for (Node* node : module.entry().nodes()) {
    std::vector<const Tensor*> inputs;
    for (const Value* v : node->inputs()) inputs.push_back(v ? &values.at(v) : nullptr);
    if (node->Is("NetOutput")) {
      std::vector<Tensor> results;
      for (const Tensor* t : inputs) results.push_back(*t);
      return results;
    }
    if (const Tensor* constant = node->const_value()) {
      values[node->output()] = *constant;
      continue;
    }
    std::vector<Tensor> outputs;
    for (int i = 0; i < node->num_outputs(); ++i) outputs.emplace_back(node->output(i)->type());
    const HostKernel* kernel = HostKernels().Find(node->op().name);
    if (!kernel || !kernel->compute) return Unimplemented("no reference kernel");
    GE_RETURN_IF_ERROR(kernel->compute({*node, inputs, outputs}));
    for (int i = 0; i < node->num_outputs(); ++i) values[node->output(i)] = outputs[static_cast<size_t>(i)];
  }
  return Internal("the graph has no NetOutput");
}

bool Close(double got, double want, double tolerance) {
  if (std::isnan(want)) return std::isnan(got);
  if (got == want) return tolerance > 0 || std::signbit(got) == std::signbit(want);
  return std::abs(got - want) <= tolerance * std::max(std::abs(want), 0.01);
}

// The first difference, empty if there is none.
std::string Difference(const Tensor& got, const Tensor& want, double tolerance) {
  std::string text;
  const Status known = elem::VisitArithmetic(want.dtype(), "compare", [&]<typename T>(elem::Tag<T>) {
    for (int64_t i = 0; i < want.num_elements() && text.empty(); ++i) {
      const auto a = elem::Widen(got.data<T>()[i]), b = elem::Widen(want.data<T>()[i]);
      bool same;
      if constexpr (elem::kIsComplex<T>)
        same = Close(a.real(), b.real(), tolerance) && Close(a.imag(), b.imag(), tolerance);
      else if constexpr (elem::kIsFloat<T>)
        same = Close(a, b, tolerance);
      else
        same = a == b;
      std::ostringstream out;
      out.precision(17);
      out << "element " << i << " is " << a << ", eager gives " << b;
      if (!same) text = out.str();
    }
    return Status();
  });
  return known.ok() ? text : known.message();
}

class ElewiseCases : public ::testing::TestWithParam<std::string> {};

TEST_P(ElewiseCases, EqualEager) {
  const std::vector<Case> cases = ReadCases(fs::path(GE_SOURCE_DIR) / "tests/host_kernels" / GetParam());
  EXPECT_FALSE(cases.empty());
  for (const Case& c : cases) {
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
      if (const std::string d = Difference((*results)[i], (*results)[i + 1], c.tolerance); !d.empty())
        ADD_FAILURE() << "result " << i / 2 << ": " << d << "\n" << c.text;
  }
}

std::vector<std::string> Files() {
  std::vector<std::string> files;
  for (const char* group : {"elewise_calculation_ops", "nonlinear_ops", "selection_ops"})
    for (const auto& entry : fs::directory_iterator(fs::path(GE_SOURCE_DIR) / "tests/host_kernels" / group))
      if (entry.path().extension() == ".txt") files.push_back(std::string(group) + "/" + entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Ops, ElewiseCases, ::testing::ValuesIn(Files()), [](const auto& info) {
  std::string name = info.param.substr(info.param.find('/') + 1);
  return name.substr(0, name.size() - 4);
});

}  // namespace
}  // namespace ge
