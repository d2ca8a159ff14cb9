#pragma once
// Runs one node on an engine as the executor does: slots over planned memory, a workspace, a thread count.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "ge_core/ir/engine.h"
#include "host_kernels/ops.h"
#include "npu_runtime/engine_library.h"

namespace ge::testing {

// The engine, or null with the reason printed: an absent library is a slower system, not a broken one.
inline const Engine* EngineOrNull(const std::string& name) {
  auto engine = OpenEngine(name);
  if (!engine.ok()) std::printf("engine %s is absent: %s\n", name.c_str(), engine.message().c_str());
  return engine.ok() ? *engine : nullptr;
}

inline ValueType F32(std::vector<int64_t> shape) { return ValueType::Tensor(DType::kF32, Shape(shape.begin(), shape.end())); }

// Seeded values in [-2, 2).
inline Tensor Random(std::vector<int64_t> shape, unsigned seed) {
  Tensor t(F32(std::move(shape)));
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-2, 2);
  for (int64_t i = 0; i < t.num_elements(); ++i) t.mutable_data<float>()[i] = uniform(generator);
  return t;
}

// A buffer of a value's storage, packed layouts included.
struct Buffer {
  explicit Buffer(const ValueType& t) : type(t), bytes(static_cast<size_t>(t.layout.PackedBytes().value_or(StridedBytes(t)) + 64)) {}
  static int64_t StridedBytes(const ValueType& t) {
    if (t.layout.kind != StorageLayout::Kind::kStrided) return t.StaticBytes();
    int64_t last = 0;
    for (size_t i = 0; i < t.shape().size(); ++i) last += (t.shape()[i].value() - 1) * t.layout.strides[i].value();
    return (last + 1) * static_cast<int64_t>(SizeOf(t.dtype()));
  }
  void* data() { return reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(bytes.data()) + 63) / 64 * 64); }
  float* f32() { return static_cast<float*>(data()); }
  ValueType type;
  std::vector<std::byte> bytes;
};

// Inputs (null where absent) -> outputs; fails the test on an error.
inline std::vector<Buffer> RunOn(const Executable& kernel, const Node& node, const std::vector<const void*>& inputs, int threads = 2) {
  std::vector<Buffer> results;
  for (int i = 0; i < node.num_outputs(); ++i) results.emplace_back(node.output(i)->type());
  std::vector<Slot> in(inputs.size()), out(results.size());
  std::vector<Slot*> in_pointers, out_pointers;
  for (size_t i = 0; i < in.size(); ++i) {
    in[i].data = const_cast<void*>(inputs[i]);
    in_pointers.push_back(inputs[i] ? &in[i] : nullptr);
  }
  for (size_t i = 0; i < out.size(); ++i) {
    out[i].data = results[i].data();
    out_pointers.push_back(&out[i]);
  }
  std::vector<std::byte> workspace(static_cast<size_t>(kernel.workspace_bytes()) + 64);
  KernelContext context;
  context.inputs = in_pointers;
  context.outputs = out_pointers;
  context.workspace = reinterpret_cast<std::byte*>((reinterpret_cast<uintptr_t>(workspace.data()) + 63) / 64 * 64);
  context.num_threads = threads;
  const Status status = kernel.Run(context);
  EXPECT_TRUE(status.ok()) << status.message();
  return results;
}

inline std::vector<Buffer> LoadAndRun(const Engine& engine, const Node& node, const std::vector<const void*>& inputs, int threads = 2) {
  const Support support = engine.Supports(node);
  EXPECT_TRUE(support.ok) << support.reason;
  auto kernel = engine.Load(node);
  EXPECT_TRUE(kernel.ok()) << kernel.message();
  return kernel.ok() ? RunOn(**kernel, node, inputs, threads) : std::vector<Buffer>{};
}

// The operator's reference kernel on contiguous tensors.
inline std::vector<Tensor> Reference(const Node& node, const std::vector<const Tensor*>& inputs) {
  std::vector<Tensor> outputs;
  for (int i = 0; i < node.num_outputs(); ++i)
    outputs.emplace_back(ValueType::Tensor(node.output(i)->type().dtype(), node.output(i)->type().shape()));
  const HostKernel* kernel = HostKernels().Find(node.op().name);
  if (!kernel || !kernel->compute) {
    ADD_FAILURE() << "no reference kernel for " << node.op().name;
    return outputs;
  }
  const Status status = kernel->compute({node, inputs, outputs});
  EXPECT_TRUE(status.ok()) << status.message();
  return outputs;
}

// |a - b| <= relative * largest |b|, NaN equal to NaN.
inline void ExpectClose(const float* a, const float* b, int64_t n, double relative) {
  double largest = 0;
  for (int64_t i = 0; i < n; ++i) largest = std::isfinite(b[i]) ? std::max<double>(largest, std::abs(b[i])) : largest;
  for (int64_t i = 0; i < n; ++i) {
    if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
    ASSERT_LE(std::abs(static_cast<double>(a[i]) - b[i]), relative * largest) << "element " << i << ": " << a[i] << " instead of " << b[i];
  }
}

// A graph of one node over graph inputs, to ask an engine about.
class OneNode {
 public:
  OneNode() : graph_(**module_.AddGraph("main")) {}
  Value* In(ValueType t) { return graph_.AddInput(std::move(t))->output(); }
  Node& Make(std::string_view op, std::vector<Value*> inputs, AttrMap attrs = {}, std::vector<ValueType> types = {}) {
    auto node = graph_.Create(
        {.op = op, .inputs = std::move(inputs), .attrs = std::move(attrs), .name = {}, .loc = {}, .types = std::move(types), .after = {}});
    GE_CHECK(node.ok(), node.message().c_str());
    return **node;
  }
  Graph& graph() { return graph_; }
  Module& module() { return module_; }

 private:
  Module module_{HostOps()};
  Graph& graph_;
};

}  // namespace ge::testing
