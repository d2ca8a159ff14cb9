#include "ge_core/passes/fusion/matmul_transpose_pass.h"

#include <gtest/gtest.h>

#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

ValueType F32(std::vector<int64_t> shape) { return ValueType::Tensor(DType::kF32, Shape(shape.begin(), shape.end())); }

struct MatmulTranspose : ::testing::Test {
  Module m{HostOps()};
  Builder b{m};
  bool Run() {
    MatmulTransposePass pass;
    auto r = pass.Run(b.graph());
    EXPECT_TRUE(r.ok()) << r.message();
    return r.ok() && *r;
  }
  const Node& Result() { return *b.graph().net_output()->input(0)->producer(); }
};

TEST_F(MatmulTranspose, ReadsTheWeightTransposed) {
  Value *x = b.In(F32({2, 8})), *w = b.In(F32({4, 8}));
  b.Return({b.Op("MatMulV2", {x, b.Op("Transpose", {w})})});
  EXPECT_TRUE(Run());
  EXPECT_EQ(Result().input(1), w);
  EXPECT_TRUE(Result().Bool("transpose_x2"));
  EXPECT_FALSE(Result().Bool("transpose_x1"));
  EXPECT_FALSE(Run());
}

TEST_F(MatmulTranspose, BothOperandsAndTheBiasStays) {
  Value *x = b.In(F32({8, 2})), *w = b.In(F32({4, 8})), *bias = b.In(F32({4}));
  b.Return({b.Op("MatMulV2", {b.Op("Transpose", {x}, {{"dim0", 0}, {"dim1", -1}}), b.Op("Transpose", {w, b.C({1, 0})}), bias})});
  EXPECT_TRUE(Run());
  EXPECT_EQ(Result().inputs(), (std::vector<Value*>{x, w, bias}));
  EXPECT_TRUE(Result().Bool("transpose_x1") && Result().Bool("transpose_x2"));
}

TEST_F(MatmulTranspose, TwoSwapsAreNone) {
  Value *x = b.In(F32({2, 8})), *w = b.In(F32({4, 8}));
  b.Return({b.Op("MatMulV2", {x, b.Op("Transpose", {w})}, {{"transpose_x2", false}})});
  Value* again = b.Op("MatMulV2", {x, b.Op("Transpose", {b.Op("Transpose", {w})})}, {{"transpose_x2", true}});
  b.Return({again});
  EXPECT_TRUE(Run());
  EXPECT_EQ(Result().input(1), w);
  EXPECT_TRUE(Result().Bool("transpose_x2"));
}

TEST_F(MatmulTranspose, KeepsTheLinearFormOfLeadingAxes) {
  Value *x = b.In(F32({2, 3, 8})), *w = b.In(F32({8, 4}));
  b.Return({b.Op("MatMulV2", {x, b.Op("Transpose", {w})}, {{"transpose_x2", true}})});
  EXPECT_FALSE(Run());
}

TEST_F(MatmulTranspose, IdentityPermutationIsNoSwap) {
  Value *x = b.In(F32({2, 8})), *w = b.In(F32({8, 4}));
  b.Return({b.Op("MatMulV2", {x, b.Op("Transpose", {w, b.C({0, 1})})})});
  EXPECT_FALSE(Run());
}

}  // namespace
}  // namespace ge
