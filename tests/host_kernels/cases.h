#pragma once
// Cases in text form with expected values inside, as make_eager_cases.py and make_folding_cases.py write them: a header line
// "// <verdict>", then a module whose graph returns pairs (computed, expected).
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

namespace ge::testing {

struct Case {
  std::string verdict, text;
};

inline std::vector<Case> ReadCases(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::vector<Case> cases;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("// "))
      cases.push_back({line.substr(3), {}});
    else if (!cases.empty())
      cases.back().text += line + "\n";
  }
  return cases;
}

// Constants and kernels only. The values of NetOutput's operands, or the first failure.
inline Result<std::vector<Tensor>> RunModule(const Module& module) {
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
    for (int i = 0; i < node->num_outputs(); ++i) {
      if (!node->output(i)->type().IsStatic()) return Unimplemented(StrCat("a result is ", ToString(node->output(i)->type())));
      outputs.emplace_back(node->output(i)->type());
    }
    const HostKernel* kernel = HostKernels().Find(node->op().name);
    if (!kernel || (!kernel->compute && !kernel->compute_from_node)) return Unimplemented("no reference kernel");
    GE_RETURN_IF_ERROR(kernel->compute ? kernel->compute({*node, inputs, outputs}) : kernel->compute_from_node(*node, outputs));
    for (int i = 0; i < node->num_outputs(); ++i) values[node->output(i)] = outputs[static_cast<size_t>(i)];
  }
  return Internal("the graph has no NetOutput");
}

inline bool Close(double got, double want, double tolerance) {
  if (std::isnan(want)) return std::isnan(got);
  if (got == want) return tolerance > 0 || std::signbit(got) == std::signbit(want);
  return std::abs(got - want) <= tolerance * std::max(std::abs(want), 0.01);
}

// The first difference, empty if there is none.
inline std::string Difference(const Tensor& got, const Tensor& want, double tolerance) {
  if (!SameLogicalType(got.type(), want.type())) return StrCat("the type is ", ToString(got.type()), ", expected ", ToString(want.type()));
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
      out << "element " << i << " is " << a << ", expected " << b;
      if (!same) text = out.str();
    }
    return Status();
  });
  return known.ok() ? text : known.message();
}

// The .txt files of folders under tests/host_kernels, as "folder/file.txt".
inline std::vector<std::string> CaseFiles(std::initializer_list<const char*> folders) {
  std::vector<std::string> files;
  for (const char* folder : folders)
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(GE_SOURCE_DIR) / "tests/host_kernels" / folder))
      if (entry.path().extension() == ".txt") files.push_back(std::string(folder) + "/" + entry.path().filename().string());
  std::sort(files.begin(), files.end());
  return files;
}
inline std::string CaseName(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.substr(info.param.find('/') + 1);
  return name.substr(0, name.size() - 4);
}

}  // namespace ge::testing
