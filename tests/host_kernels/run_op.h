#pragma once
// Runs one operator on constants: builds a graph with the real op table, so arity, dtypes, attributes and inference are
// checked as in the compiler, then calls the reference kernel.
#include <gtest/gtest.h>

#include <map>

#include "ge_core/base/str.h"
#include "ge_core/ir/graph.h"
#include "host_kernels/ops.h"

namespace ge::testing {

template <typename T>
struct DTypeOfCpp;
template <>
struct DTypeOfCpp<float> {
  static constexpr DType value = DType::kF32;
};
template <>
struct DTypeOfCpp<double> {
  static constexpr DType value = DType::kF64;
};
template <>
struct DTypeOfCpp<int32_t> {
  static constexpr DType value = DType::kI32;
};
template <>
struct DTypeOfCpp<int64_t> {
  static constexpr DType value = DType::kI64;
};
template <>
struct DTypeOfCpp<uint8_t> {
  static constexpr DType value = DType::kU8;
};
template <>
struct DTypeOfCpp<int8_t> {
  static constexpr DType value = DType::kI8;
};

template <typename T>
Tensor Make(std::vector<int64_t> shape, std::vector<T> values) {
  return Tensor::Of<T>(DTypeOfCpp<T>::value, std::move(shape), values);
}
inline Tensor MakeBool(std::vector<int64_t> shape, std::vector<uint8_t> values) {
  return Tensor::Of<uint8_t>(DType::kBool, std::move(shape), values);
}
inline Tensor F(std::vector<int64_t> shape, std::vector<float> values) { return Make<float>(std::move(shape), std::move(values)); }
inline Tensor I(std::vector<int64_t> values) { return Tensor::Ints(values); }

// 0, 1, 2, ... as f32.
inline Tensor Iota(std::vector<int64_t> shape) {
  int64_t n = 1;
  for (int64_t e : shape) n *= e;
  std::vector<float> v(static_cast<size_t>(n));
  for (size_t i = 0; i < v.size(); ++i) v[i] = static_cast<float>(i);
  return F(std::move(shape), v);
}

// An undefined Tensor stands for an absent optional input.
inline Result<std::vector<Tensor>> RunOp(std::string_view op, std::vector<Tensor> inputs, AttrMap attrs = {}) {
  Module module(HostOps());
  GE_ASSIGN_OR_RETURN(Graph * graph, module.AddGraph("g"));
  Graph::NodeSpec spec;
  spec.op = op;
  spec.attrs = std::move(attrs);
  for (const Tensor& t : inputs) spec.inputs.push_back(t.defined() ? graph->CreateConst(t)->output() : nullptr);
  GE_ASSIGN_OR_RETURN(Node * node, graph->Create(std::move(spec)));
  const HostKernel* kernel = HostKernels().Find(op);
  if (!kernel) return Unimplemented(StrCat(op, " has no kernel"));
  std::vector<Tensor> outputs;
  for (int i = 0; i < node->num_outputs(); ++i) outputs.emplace_back(node->output(i)->type());
  std::vector<const Tensor*> operands;
  for (const Value* v : node->inputs()) operands.push_back(v ? v->producer()->const_value() : nullptr);
  if (kernel->compute) {
    GE_RETURN_IF_ERROR(kernel->compute({*node, operands, outputs}));
  } else {
    GE_RETURN_IF_ERROR(kernel->compute_from_node(*node, outputs));
  }
  return outputs;
}

// The inferred types in text form; inputs by type ("f32[s0,4]" needs symbols: give ValueTypes), constants by operand number.
inline std::string Infer(std::string_view op, std::vector<ValueType> inputs, AttrMap attrs = {}, std::map<int, Tensor> constants = {}) {
  Module module(HostOps());
  Graph* graph = *module.AddGraph("g");
  Graph::NodeSpec spec;
  spec.op = op;
  spec.attrs = std::move(attrs);
  for (size_t i = 0; i < inputs.size(); ++i) {
    auto it = constants.find(static_cast<int>(i));
    if (it == constants.end())
      spec.inputs.push_back(graph->AddInput(inputs[i])->output());
    else
      spec.inputs.push_back(it->second.defined() ? graph->CreateConst(it->second)->output() : nullptr);
  }
  Result<Node*> node = graph->Create(std::move(spec));
  if (!node.ok()) return StrCat(node.code() == Code::kUnimplemented ? "unimplemented" : "error", ": ", node.message());
  std::string out;
  for (int i = 0; i < (*node)->num_outputs(); ++i) out += StrCat(i ? " " : "", ToString((*node)->output(i)->type()));
  return out;
}

template <typename T>
std::vector<T> Values(const Tensor& t) {
  return {t.data<T>(), t.data<T>() + t.num_elements()};
}

// The one result's values, its type compared with `type`.
template <typename T>
std::vector<T> RunTo(std::string_view type, std::string_view op, std::vector<Tensor> inputs, AttrMap attrs = {}) {
  Result<std::vector<Tensor>> r = RunOp(op, std::move(inputs), std::move(attrs));
  EXPECT_TRUE(r.ok()) << r.message();
  if (!r.ok()) return {};
  EXPECT_EQ(ToString((*r)[0].type()), type);
  return Values<T>((*r)[0]);
}

inline Attr Ints(std::vector<int64_t> v) { return Attr::Ints(v); }
inline Dim S(const char* name) { return Dim::Symbol(name); }

}  // namespace ge::testing
