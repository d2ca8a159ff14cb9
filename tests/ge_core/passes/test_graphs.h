#pragma once
// A small operator table with known behaviour, and a builder: pass tests do not depend on the real operators.
#include <gtest/gtest.h>

#include "ge_core/eval/host_cpu_engine.h"
#include "ge_core/ir/graph.h"
#include "ge_core/passes/node_pass_driver.h"
#include "host_kernels/ops.h"

namespace ge::testing {

inline Result<std::vector<ValueType>> InferSame(const InferContext& c) {
  return std::vector<ValueType>{ValueType::Tensor(c.input(0).dtype(), c.input(0).shape())};
}
inline Result<std::vector<ValueType>> InferTwice(const InferContext& c) {
  ValueType t = ValueType::Tensor(c.input(0).dtype(), c.input(0).shape());
  return std::vector<ValueType>{t, t};
}
inline Result<std::vector<ValueType>> InferGenerated(const InferContext& c) {
  return std::vector<ValueType>{ValueType::Tensor(DType::kI64, {c.Int("n")})};
}

inline constexpr OpDef kOps[] = {
    OpDef("Add").Input("x1").Input("x2").Output("y").Traits(kCommutative | kElementwise).Infer(InferSame),
    OpDef("Sub").Input("x1").Input("x2").Output("y").Traits(kElementwise).Infer(InferSame),
    OpDef("Div").Input("x1").Input("x2").Output("y").Traits(kElementwise).Infer(InferSame),
    OpDef("Relu").Input("x").Output("y").Traits(kElementwise).Infer(InferSame),
    OpDef("Scale").Input("x").Output("y").Int("by", 2).Traits(kElementwise).Infer(InferSame),
    OpDef("View").Input("x").Output("y").Traits(kView).Infer(InferSame),
    OpDef("Twice").Input("x").Output("a").Output("b").Infer(InferTwice),
    OpDef("Random").Input("x").Output("y").Traits(kRandom).Infer(InferSame),
    OpDef("Write").Input("x").Input("value").Output("y").Traits(kMutates | kView | kNoFold).Infer(InferSame),
    OpDef("Effect").Input("x").Output("y").Traits(kImpure).Infer(InferSame),
    OpDef("Keep").Input("x").Output("y").Traits(kNoFold).Infer(InferSame),
    OpDef("NoKernel").Input("x").Output("y").Infer(InferSame),
    OpDef("Generate").Output("y").Int("n", 4).Infer(InferGenerated),
};

// Binary kernels on equal i64 shapes.
template <typename F>
Status Zip(const HostKernelContext& c, F f) {
  for (int64_t i = 0; i < c.outputs[0].num_elements(); ++i) {
    const int64_t a = c.inputs[0]->data<int64_t>()[i], b = c.inputs.size() > 1 ? c.inputs[1]->data<int64_t>()[i] : 0;
    GE_RETURN_IF_ERROR(f(a, b, c.outputs[0].mutable_data<int64_t>()[i]));
  }
  return {};
}
inline int64_t Wrap(uint64_t v) { return static_cast<int64_t>(v); }
inline Status AddKernel(const HostKernelContext& c) {
  return Zip(c, [](uint64_t a, uint64_t b, int64_t& y) {
    y = Wrap(a + b);
    return Status();
  });
}
inline Status SubKernel(const HostKernelContext& c) {
  return Zip(c, [](uint64_t a, uint64_t b, int64_t& y) {
    y = Wrap(a - b);
    return Status();
  });
}
inline Status DivKernel(const HostKernelContext& c) {
  return Zip(c, [](int64_t a, int64_t b, int64_t& y) {
    return b == 0 ? InvalidArgument("ZeroDivisionError") : (y = b == -1 ? Wrap(-static_cast<uint64_t>(a)) : a / b, Status());
  });
}
inline Status ReluKernel(const HostKernelContext& c) {
  return Zip(c, [](int64_t a, int64_t, int64_t& y) {
    y = std::max<int64_t>(a, 0);
    return Status();
  });
}
inline Status ScaleKernel(const HostKernelContext& c) {
  const uint64_t by = static_cast<uint64_t>(c.node.Int("by"));
  return Zip(c, [by](uint64_t a, uint64_t, int64_t& y) {
    y = Wrap(a * by);
    return Status();
  });
}
inline Status CopyKernel(const HostKernelContext& c) {
  return Zip(c, [](int64_t a, int64_t, int64_t& y) {
    y = a;
    return Status();
  });
}
inline Status TwiceKernel(const HostKernelContext& c) {
  for (int64_t i = 0; i < c.outputs[0].num_elements(); ++i) {
    c.outputs[0].mutable_data<int64_t>()[i] = c.inputs[0]->data<int64_t>()[i];
    c.outputs[1].mutable_data<int64_t>()[i] = Wrap(-static_cast<uint64_t>(c.inputs[0]->data<int64_t>()[i]));
  }
  return {};
}
inline Status GenerateKernel(const HostKernelContext& c) {
  for (int64_t i = 0; i < c.outputs[0].num_elements(); ++i) c.outputs[0].mutable_data<int64_t>()[i] = i;
  return {};
}
inline constexpr HostKernel kKernels[] = {
    {"Add", AddKernel},           {"Sub", SubKernel},       {"Div", DivKernel},        {"Relu", ReluKernel},   {"Scale", ScaleKernel},
    {"View", CopyKernel},         {"Twice", TwiceKernel},   {"Keep", CopyKernel},      {"Effect", CopyKernel}, {"Random", CopyKernel},
    {"Generate", GenerateKernel}, {"Identity", CopyKernel}, {"TensorMove", CopyKernel}};

inline const OpTable& TestOps() {
  static const OpTable table([] {
    std::vector<const OpDef*> defs;
    for (const char* name : {"Data", "Const", "NetOutput", "NoOp", "AtenCall", "If", "While", "PartitionedCall", "Identity", "TensorMove"})
      defs.push_back(HostOps().Find(name));
    for (const OpDef& op : kOps) defs.push_back(&op);
    return defs;
  }());
  return table;
}

inline const KernelFactory& TestKernels() {
  static const KernelFactory table([] {
    std::vector<const HostKernel*> rows;
    for (const HostKernel& k : kKernels) rows.push_back(&k);
    return rows;
  }());
  return table;
}

inline const HostCpuEngine& TestEngine() {
  static const HostCpuEngine engine(&TestKernels());
  return engine;
}

inline ValueType I64(int64_t n) { return ValueType::Tensor(DType::kI64, {n}); }
inline Tensor Vec(std::vector<int64_t> v) { return Tensor::Ints(v); }

// Builds one graph of a module. A mistake in a test aborts with the message.
class Builder {
 public:
  explicit Builder(Module& module, const std::string& name = "main") : graph_(*Check(module.AddGraph(name))) {}
  Value* In(ValueType type = I64(4)) { return graph_.AddInput(std::move(type))->output(); }
  Value* C(std::vector<int64_t> v) { return graph_.CreateConst(Vec(std::move(v)))->output(); }
  Node* N(std::string_view op, std::vector<Value*> in, AttrMap attrs = {}, std::vector<ValueType> types = {},
          std::vector<Node*> after = {}) {
    return Check(graph_.Create({.op = op,
                                .inputs = std::move(in),
                                .attrs = std::move(attrs),
                                .name = {},
                                .loc = {},
                                .types = std::move(types),
                                .after = std::move(after)}));
  }
  Value* Op(std::string_view op, std::vector<Value*> in, AttrMap attrs = {}, std::vector<ValueType> types = {}) {
    return N(op, std::move(in), std::move(attrs), std::move(types))->output();
  }
  Graph& Return(const std::vector<Value*>& values) {
    graph_.SetOutputs(values);
    return graph_;
  }
  Graph& graph() { return graph_; }

 private:
  template <typename T>
  static T Check(Result<T> r) {
    GE_CHECK(r.ok(), r.message().c_str());
    return *std::move(r);
  }
  Graph& graph_;
};

inline int CountOf(const Graph& g, std::string_view op) {
  int count = 0;
  for (const Node* n : g.nodes()) count += n->Is(op);
  return count;
}

// Runs one node pass over `graph` to its fixed point, with the honest-flag check. True if something changed.
inline bool RunNodePass(NodePass& pass, Graph& graph) {
  NodePassDriver driver({&pass});
  auto outcome = driver.Run(graph, {.check_changed_flag = true});
  EXPECT_TRUE(outcome.ok()) << outcome.message();
  return outcome.ok() && outcome->changed;
}
inline std::string WhyNot(const NodePass& pass, const Node& node) {
  const Rewriter rewriter(node.graph());
  return pass.WhyNot(node, rewriter);
}

}  // namespace ge::testing
