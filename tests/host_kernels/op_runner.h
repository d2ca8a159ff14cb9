#pragma once
// Tests of operators: one node over constants, its inferred types and the result of its reference kernel. Expected values are
// what PyTorch 2.13 computes on the CPU for the same inputs.
#include <gtest/gtest.h>

#include <cmath>

#include "ge_core/ir/host_kernel.h"
#include "host_kernels/element_util.h"
#include "host_kernels/ops.h"

namespace ge::testing {

// Small integers in a fixed pattern: element i is ((i * step) % modulus + shift) * scale.
inline Tensor Pattern(DType dtype, std::vector<int64_t> shape, int64_t step, int64_t modulus, int64_t shift, double scale = 1) {
  Tensor t(ValueType::Tensor(dtype, Shape(shape.begin(), shape.end())));
  const Status s = elem::VisitReal(dtype, "Pattern", [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t i = 0; i < t.num_elements(); ++i)
      t.mutable_data<T>()[i] = elem::Narrow<T>(static_cast<elem::Wide<T>>(static_cast<double>((i * step) % modulus + shift) * scale));
    return Status();
  });
  EXPECT_TRUE(s.ok()) << s.message();
  return t;
}

// One expected output: its type as text, and its values unless they are not compared.
struct Expected {
  std::string type;
  std::vector<double> values;
  bool compare = true;
};

// A node over constant inputs (undefined Tensor = absent).
class OneOp {
 public:
  OneOp(std::string_view op, const std::vector<Tensor>& inputs, AttrMap attrs = {}) : graph_(**module_.AddGraph("main")), tensors_(inputs) {
    std::vector<Value*> values;
    for (const Tensor& t : tensors_) values.push_back(t.defined() ? graph_.CreateConst(t)->output() : nullptr);
    auto node =
        graph_.Create({.op = op, .inputs = std::move(values), .attrs = std::move(attrs), .name = {}, .loc = {}, .types = {}, .after = {}});
    if (node.ok())
      node_ = *node;
    else
      error_ = node.message(), code_ = node.code();
  }
  const Node* node() const { return node_; }
  const std::string& error() const { return error_; }
  Code code() const { return code_; }

  Status Run(std::vector<Tensor>& outputs) const {
    outputs.clear();
    for (int i = 0; i < node_->num_outputs(); ++i) outputs.emplace_back(node_->output(i)->type());
    std::vector<const Tensor*> inputs;
    for (const Tensor& t : tensors_) inputs.push_back(t.defined() ? &t : nullptr);
    const HostKernel* kernel = HostKernels().Find(node_->op().name);
    if (!kernel || !kernel->compute) return Unimplemented("no reference kernel");
    return kernel->compute({*node_, inputs, outputs});
  }

 private:
  Module module_{HostOps()};
  Graph& graph_;
  std::vector<Tensor> tensors_;
  Node* node_ = nullptr;
  std::string error_;
  Code code_ = Code::kOk;
};

// Types, and values where the op has a reference kernel, to `relative` of the largest expected value.
inline void CheckOp(std::string_view op, const std::vector<Tensor>& inputs, const AttrMap& attrs, const std::vector<Expected>& expected,
                    double relative = 1e-6) {
  const OneOp one(op, inputs, attrs);
  ASSERT_NE(one.node(), nullptr) << one.error();
  ASSERT_EQ(static_cast<size_t>(one.node()->num_outputs()), expected.size());
  for (size_t i = 0; i < expected.size(); ++i)
    EXPECT_EQ(ToString(one.node()->output(static_cast<int>(i))->type()), expected[i].type) << op << " output " << i;
  const HostKernel* kernel = HostKernels().Find(op);
  if (!kernel || !kernel->compute || ::testing::Test::HasFailure()) return;
  std::vector<Tensor> outputs;
  const Status status = one.Run(outputs);
  ASSERT_TRUE(status.ok()) << status.message();
  for (size_t i = 0; i < expected.size(); ++i) {
    if (!expected[i].compare) continue;
    ASSERT_EQ(static_cast<size_t>(outputs[i].num_elements()), expected[i].values.size());
    double largest = 0;
    for (double v : expected[i].values) largest = std::isfinite(v) ? std::max(largest, std::abs(v)) : largest;
    const Status read = elem::VisitReal(outputs[i].dtype(), op, [&](auto tag) {
      using T = typename decltype(tag)::type;
      for (size_t k = 0; k < expected[i].values.size(); ++k) {
        const double found = static_cast<double>(elem::Widen<T>(outputs[i].data<T>()[k])), wanted = expected[i].values[k];
        if (found == wanted || (std::isnan(found) && std::isnan(wanted))) continue;
        EXPECT_LE(std::abs(found - wanted), relative * largest)
            << op << " output " << i << " element " << k << ": " << found << " instead of " << wanted;
      }
      return Status();
    });
    EXPECT_TRUE(read.ok()) << read.message();
  }
}

// Creating the node fails with this code and a message that contains `text`.
inline void CheckRefused(std::string_view op, const std::vector<Tensor>& inputs, const AttrMap& attrs, Code code, std::string_view text) {
  const OneOp one(op, inputs, attrs);
  ASSERT_EQ(one.node(), nullptr) << op << " was accepted";
  EXPECT_EQ(one.code(), code) << one.error();
  EXPECT_NE(one.error().find(text), std::string::npos) << one.error();
}

}  // namespace ge::testing
