#include "ge_core/autofuse/epilogue_fusion_pass.h"

#include <gtest/gtest.h>

#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

// Takes everything, regions included.
class EagerEngine : public Engine {
 public:
  std::string_view name() const override { return "fake"; }
  Support Supports(const Node&) const override { return Support::Yes(); }
  Result<std::unique_ptr<Executable>> Load(const Node&) const override { return Unimplemented("not in this test"); }
};

struct EpilogueFusion : ::testing::Test {
  Module m{HostOps()};
  Builder b{m};
  EagerEngine engine;
  Result<bool> Run() { return EpilogueFusionPass({&engine}).Run(b.graph()); }
  static ValueType F32(std::vector<int64_t> shape) { return ValueType::Tensor(DType::kF32, Shape(shape.begin(), shape.end())); }
};

TEST_F(EpilogueFusion, TakesWhatFollowsAProduct) {
  b.Return({b.Op("Relu", {b.Op("MatMulV2", {b.In(F32({2, 8})), b.In(F32({8, 4}))})})});
  auto changed = Run();
  ASSERT_TRUE(changed.ok()) << changed.message();
  EXPECT_TRUE(*changed);
  EXPECT_EQ(CountOf(b.graph(), "FusedRegion"), 1);
}

// The axes decide the type: behind an input of a region they are no constant.
TEST_F(EpilogueFusion, LeavesNodesWhoseTypesHangOnAConstant) {
  Tensor axes(ValueType::Tensor(DType::kI64, {1}));
  axes.mutable_data<int64_t>()[0] = 2;
  Value* mean = b.Op("ReduceMean", {b.In(F32({1, 1, 8})), b.graph().CreateConst(axes)->output()}, {{"keep_dims", true}});
  b.Return({b.Op("Relu", {mean})});
  auto changed = Run();
  ASSERT_TRUE(changed.ok()) << changed.message();
  EXPECT_FALSE(*changed);
  EXPECT_EQ(CountOf(b.graph(), "ReduceMean"), 1);
  EXPECT_EQ(m.graphs().size(), 1u);
}

}  // namespace
}  // namespace ge
