// Operands that inference does not know and the kernel gets: the graph states the result's type, and values that do not fit it
// must be an error, not memory that is read outside the tensor.
#include "tests/host_kernels/run_op.h"

namespace ge {
namespace {
using namespace ge::testing;

// Runs the kernel on `values`; the node's integer operands (all but the first) are graph inputs of the same types.
Status RunLate(std::string_view op, std::string_view result, const std::vector<Tensor>& values, AttrMap attrs = {}) {
  Module m(HostOps());
  Graph& g = **m.AddGraph("g");
  std::vector<Value*> inputs;
  std::vector<const Tensor*> operands;
  for (const Tensor& v : values) {
    inputs.push_back(v.defined() ? g.AddInput(v.type())->output() : nullptr);
    operands.push_back(v.defined() ? &v : nullptr);
  }
  const ValueType type = ValueType::Tensor(DType::kF32, {2});
  EXPECT_EQ(ToString(type), result);
  auto node = g.Create({.op = op, .inputs = inputs, .attrs = std::move(attrs), .name = {}, .loc = {}, .types = {type}, .after = {}});
  if (!node.ok()) return std::move(node).status().Annotate("refused by inference");
  std::vector<Tensor> outputs{Tensor(type)};
  return HostKernels().Find(op)->compute({**node, operands, outputs});
}

void ExpectFits(std::string_view op, const std::vector<Tensor>& values, AttrMap attrs = {}) {
  const Status s = RunLate(op, "f32[2]", values, std::move(attrs));
  EXPECT_TRUE(s.ok()) << op << ": " << s.message();
}
void ExpectRefused(std::string_view op, const std::vector<Tensor>& values, AttrMap attrs = {}) {
  const Status s = RunLate(op, "f32[2]", values, std::move(attrs));
  EXPECT_EQ(s.code(), Code::kInvalidArgument) << op << ": " << s.message();
  EXPECT_EQ(s.message().find("refused by inference"), std::string::npos) << s.message();
}

constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

TEST(LateOperands, Slice) {
  const Tensor x = Iota({5});
  ExpectFits("Slice", {x, I({3}), I({2})});
  for (int64_t offset : {int64_t{4}, int64_t{-1}, kMax}) ExpectRefused("Slice", {x, I({offset}), I({2})});
}

TEST(LateOperands, StridedSliceV2) {
  const Tensor x = Iota({5});
  ExpectFits("StridedSliceV2", {x, I({1}), I({3}), {}, I({1})});
  ExpectFits("StridedSliceV2", {x, I({0}), I({kMax}), {}, I({3})});
  for (int64_t step : {int64_t{1}, int64_t{0}, int64_t{-1}, kMax}) ExpectRefused("StridedSliceV2", {x, I({0}), I({5}), {}, I({step})});
}

TEST(LateOperands, AsStrided) {
  const Tensor x = Iota({5});
  ExpectFits("AsStrided", {x, I({2}), I({4}), I({0})});
  ExpectRefused("AsStrided", {x, I({2}), I({5}), I({0})});
  ExpectRefused("AsStrided", {x, I({2}), I({-1}), I({1})});
  ExpectRefused("AsStrided", {x, I({2}), I({kMax}), I({kMax})});
  ExpectRefused("AsStrided", {x, I({2}), I({1}), I({-1})});
}

TEST(LateOperands, DynamicStitch) {
  ExpectFits("DynamicStitch", {I({1, 0}), Iota({2})});
  for (int64_t i : {int64_t{2}, int64_t{-1}, kMax}) ExpectRefused("DynamicStitch", {I({0, i}), Iota({2})});
}

}  // namespace
}  // namespace ge
