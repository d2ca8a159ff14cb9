#include "tests/host_kernels/run_op.h"

namespace ge {
namespace {
using namespace ge::testing;

AttrMap Formats(const char* src, const char* dst) { return {{"src_format", src}, {"dst_format", dst}}; }
constexpr char kOp[] = "TransData";

// Element (n, c, h, w) of the NCHW tensor 0, 1, 2, ... is found again at the place that the format's letters name.
TEST(TransData, EveryPairOfPlainFormats) {
  const std::map<char, int64_t> extent = {{'N', 2}, {'C', 3}, {'D', 2}, {'H', 4}, {'W', 5}};
  for (const std::vector<std::string>& group :
       {std::vector<std::string>{"NCHW", "NHWC", "HWCN"}, std::vector<std::string>{"NCDHW", "NDHWC"}}) {
    for (const std::string& src : group) {
      for (const std::string& dst : group) {
        std::vector<int64_t> from, to;
        for (char c : src) from.push_back(extent.at(c));
        for (char c : dst) to.push_back(extent.at(c));
        const Tensor x = Iota(from);
        auto r = RunOp(kOp, {x}, Formats(src.c_str(), dst.c_str()));
        ASSERT_TRUE(r.ok()) << r.message();
        const Tensor& y = (*r)[0];
        ASSERT_EQ(y.type().rank(), static_cast<int64_t>(to.size()));
        std::map<char, int64_t> index;
        for (int64_t i = 0; i < y.num_elements(); ++i) {
          int64_t rest = i;
          for (size_t d = to.size(); d-- > 0; rest /= to[d]) index[dst[d]] = rest % to[d];
          int64_t at = 0;
          for (size_t d = 0; d < from.size(); ++d) at = at * from[d] + index[src[d]];
          ASSERT_EQ(y.data<float>()[i], x.data<float>()[at]) << src << " to " << dst << " element " << i;
        }
      }
    }
  }
}

TEST(TransData, TheResultCarriesTheFormat) {
  EXPECT_EQ(Infer(kOp, {ValueType::Tensor(DType::kF16, {S("s0"), 3, 4, 5})}, Formats("NCHW", "NHWC")), "f16[s0,4,5,3]:NHWC");
  ValueType x = ValueType::Tensor(DType::kBool, {1, 2, 3, 4});
  x.format = Format::kNCHW;
  EXPECT_EQ(Infer(kOp, {x}, Formats("NCHW", "HWCN")), "bool[3,4,2,1]:HWCN");
  EXPECT_EQ(Infer(kOp, {x}), "bool[1,2,3,4]:NCHW");
  EXPECT_EQ(Infer(kOp, {x}, Formats("FRACTAL_Z", "FRACTAL_Z")), "bool[1,2,3,4]:NCHW");
}

TEST(TransData, EmptyTensors) {
  EXPECT_TRUE(RunTo<float>("f32[2,4,5,0]:NHWC", kOp, {F({2, 0, 4, 5}, {})}, Formats("NCHW", "NHWC")).empty());
}

TEST(TransData, Refusals) {
  const ValueType x = ValueType::Tensor(DType::kF32, {1, 2, 3, 4});
  EXPECT_TRUE(Infer(kOp, {x}, Formats("NCHW", "NC1HWC0")).starts_with("unimplemented"));
  EXPECT_TRUE(Infer(kOp, {x}, Formats("NCHW", "NDHWC")).starts_with("unimplemented"));
  EXPECT_TRUE(Infer(kOp, {x}, Formats("ND", "NHWC")).starts_with("unimplemented"));
  EXPECT_TRUE(Infer(kOp, {x}, Formats("NCDHW", "NDHWC")).starts_with("error"));  // five axes
  EXPECT_TRUE(Infer(kOp, {x}, {{"dst_format", "NHWC"}}).starts_with("error"));
  EXPECT_TRUE(Infer(kOp, {x}, {{"src_format", "NCHW"}, {"dst_format", "NHWC"}, {"groups", 2}}).starts_with("unimplemented"));
  ValueType other = x;
  other.format = Format::kNHWC;
  EXPECT_TRUE(Infer(kOp, {other}, Formats("NCHW", "NHWC")).starts_with("error"));
}

TEST(TransData, APackedLayoutIsForItsEngine) {
  Module m(HostOps());
  Graph& g = **m.AddGraph("g");
  const Tensor w = F({2, 3}, {1, 2, 3, 4, 5, 6});
  ValueType packed = w.type();
  packed.layout = StorageLayout::Packed("onednn:64:x");
  auto node =
      g.Create({.op = kOp, .inputs = {g.CreateConst(w)->output()}, .attrs = {}, .name = {}, .loc = {}, .types = {packed}, .after = {}});
  ASSERT_TRUE(node.ok()) << node.message();
  std::vector<Tensor> out{Tensor(w.type())};
  const Tensor* in[] = {&w};
  EXPECT_EQ(HostKernels().Find(kOp)->compute({**node, in, out}).code(), Code::kUnimplemented);
}

}  // namespace
}  // namespace ge
