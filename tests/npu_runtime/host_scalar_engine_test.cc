#include "npu_runtime/host_scalar_engine.h"

#include <gtest/gtest.h>

namespace ge {
namespace {

using Kind = PyNumber::Kind;
PyNumber I(int64_t v) { return {Kind::kInt, v, 0}; }
PyNumber F(double v) { return {Kind::kFloat, 0, v}; }
PyNumber B(bool v) { return {Kind::kBool, v, 0}; }

void ExpectInt(std::string_view fn, std::vector<PyNumber> args, int64_t want) {
  Result<PyNumber> r = SymCompute(fn, args);
  ASSERT_TRUE(r.ok()) << fn << ": " << r.message();
  EXPECT_EQ(r->kind, Kind::kInt) << fn;
  EXPECT_EQ(r->i, want) << fn;
}

TEST(SymCompute, FloorsLikePython) {
  ExpectInt("floordiv", {I(7), I(2)}, 3);
  ExpectInt("floordiv", {I(-7), I(2)}, -4);
  ExpectInt("floordiv", {I(7), I(-2)}, -4);
  ExpectInt("mod", {I(-7), I(3)}, 2);
  ExpectInt("mod", {I(7), I(-3)}, -2);
  ExpectInt("mod", {I(INT64_MIN), I(-1)}, 0);
  EXPECT_DOUBLE_EQ(SymCompute("mod", std::vector{F(-7.5), I(2)})->f, 0.5);
  EXPECT_DOUBLE_EQ(SymCompute("floordiv", std::vector{F(-7.5), I(2)})->f, -4.0);
}

TEST(SymCompute, RaisesWherePythonRaises) {
  for (const char* fn : {"floordiv", "mod", "truediv"})
    EXPECT_EQ(SymCompute(fn, std::vector{I(1), I(0)}).code(), Code::kInvalidArgument) << fn;
  EXPECT_EQ(SymCompute("lshift", std::vector{I(1), I(-1)}).code(), Code::kInvalidArgument);
  EXPECT_EQ(SymCompute("sqrt", std::vector{F(-1)}).code(), Code::kInvalidArgument);
  EXPECT_EQ(SymCompute("no such function", std::vector{I(1)}).code(), Code::kUnimplemented);
}

TEST(SymCompute, OverflowIsAnErrorNotAWrap) {
  EXPECT_FALSE(SymCompute("add", std::vector{I(INT64_MAX), I(1)}).ok());
  EXPECT_FALSE(SymCompute("mul", std::vector{I(INT64_MAX), I(2)}).ok());
  EXPECT_FALSE(SymCompute("neg", std::vector{I(INT64_MIN)}).ok());
  EXPECT_FALSE(SymCompute("pow", std::vector{I(10), I(30)}).ok());
  EXPECT_FALSE(SymCompute("floordiv", std::vector{I(INT64_MIN), I(-1)}).ok());
  EXPECT_FALSE(SymCompute("int", std::vector{F(1e300)}).ok());
}

TEST(SymCompute, TypesFollowPython) {
  EXPECT_EQ(SymCompute("truediv", std::vector{I(4), I(2)})->kind, Kind::kFloat);
  EXPECT_EQ(SymCompute("add", std::vector{B(true), B(true)})->kind, Kind::kInt);
  EXPECT_EQ(SymCompute("and", std::vector{B(true), B(false)})->kind, Kind::kBool);
  EXPECT_EQ(SymCompute("eq", std::vector{I(1), F(1.0)})->i, 1);
  EXPECT_EQ(SymCompute("lt", std::vector{F(NAN), I(1)})->i, 0);
  EXPECT_EQ(SymCompute("ne", std::vector{F(NAN), F(NAN)})->i, 1);
  ExpectInt("sum", {I(1), I(2), I(3)}, 6);
  ExpectInt("max", {I(1), I(5), I(3)}, 5);
  ExpectInt("ite", {B(false), I(1), I(2)}, 2);
  ExpectInt("round", {F(2.5)}, 2);
  ExpectInt("floor", {F(-2.5)}, -3);
}

}  // namespace
}  // namespace ge
