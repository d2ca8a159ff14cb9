// Embeddings, resizing and other neural-network operators: types, and values where there is a reference kernel.
#include "tests/host_kernels/op_runner.h"

namespace ge::testing {
namespace {

TEST(NnOps, Gather) {
  CheckOp("GatherV2", {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {2, 2}, std::vector<int64_t>{0, 3, 1, 3})},
          {}, {{"f32[2,2,3]", {-5, 2, -2, 3, -1, -5, 5, 1, -3, 3, -1, -5}}});
  CheckOp("GatherV2",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {2}, std::vector<int64_t>{2, 0}),
           Tensor::Ints(std::vector<int64_t>{1})},
          {}, {{"f32[4,2]", {-2, -5, -3, 5, -4, 4, -5, 3}}});
  CheckOp("GatherV2", {Pattern(DType::kBF16, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {}, std::vector<int64_t>{2})}, {},
          {{"bf16[3]", {4, 0, -4}}});
  CheckOp("EmbeddingDenseGrad",
          {Pattern(DType::kF32, {2, 2, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {2, 2}, std::vector<int64_t>{0, 3, 1, 3})},
          {{"num_weights", 4}, {"padding_idx", -1}, {"scale_grad_by_freq", false}}, {{"f32[4,3]", {}, false}});
}

TEST(NnOps, EmbeddingBag) {
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "sum"}, {"padding_idx", -1}, {"forward_only", false}},
          {{"f32[3,3]", {}, false}, {"i64[0]", {}, false}, {"i64[3]", {}, false}, {"i64[3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "sum"}, {"padding_idx", -1}, {"forward_only", true}},
          {{"f32[3,3]", {}, false}, {"i64[0]", {}, false}, {"i64[3]", {}, false}, {"i64[3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "sum"}, {"padding_idx", 2}, {"forward_only", false}},
          {{"f32[3,3]", {}, false}, {"i64[6]", {}, false}, {"i64[3]", {}, false}, {"i64[3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "sum"}, {"padding_idx", 2}, {"forward_only", true}},
          {{"f32[3,3]", {}, false}, {"i64[6]", {}, false}, {"i64[3]", {}, false}, {"i64[3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "mean"}, {"padding_idx", -1}, {"forward_only", false}},
          {{"f32[3,3]", {}, false}, {"i64[6]", {}, false}, {"i64[3]", {}, false}, {"i64[3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "mean"}, {"padding_idx", -1}, {"forward_only", true}},
          {{"f32[3,3]", {}, false}, {"i64[6]", {}, false}, {"i64[3]", {}, false}, {"i64[3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "mean"}, {"padding_idx", 2}, {"forward_only", false}},
          {{"f32[3,3]", {}, false}, {"i64[6]", {}, false}, {"i64[3]", {}, false}, {"i64[3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "mean"}, {"padding_idx", 2}, {"forward_only", true}},
          {{"f32[3,3]", {}, false}, {"i64[6]", {}, false}, {"i64[3]", {}, false}, {"i64[3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "max"}, {"padding_idx", -1}, {"forward_only", false}},
          {{"f32[3,3]", {}, false}, {"i64[6]", {}, false}, {"i64[3]", {}, false}, {"i64[3,3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "max"}, {"padding_idx", -1}, {"forward_only", true}},
          {{"f32[3,3]", {}, false}, {"i64[6]", {}, false}, {"i64[3]", {}, false}, {"i64[3,3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "max"}, {"padding_idx", 2}, {"forward_only", false}},
          {{"f32[3,3]", {}, false}, {"i64[6]", {}, false}, {"i64[3]", {}, false}, {"i64[3,3]", {}, false}});
  CheckOp("EmbeddingBag",
          {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor::Of<int64_t>(DType::kI64, {6}, std::vector<int64_t>{0, 1, 2, 3, 0, 1}),
           Tensor::Of<int64_t>(DType::kI64, {3}, std::vector<int64_t>{0, 2, 4})},
          {{"mode", "max"}, {"padding_idx", 2}, {"forward_only", true}},
          {{"f32[3,3]", {}, false}, {"i64[6]", {}, false}, {"i64[3]", {}, false}, {"i64[3,3]", {}, false}});
}

TEST(NnOps, Resize) {
  CheckOp("ResizeNearestNeighborV2", {Pattern(DType::kF32, {1, 2, 2, 3}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4, 6})}, {},
          {{"f32[1,2,4,6]", {-5, -5, 2, 2, -2, -2, -5, -5, 2, 2, -2, -2, 5, 5, 1,  1,  -3, -3, 5, 5, 1,  1,  -3, -3,
                             4,  4,  0, 0, -4, -4, 4,  4,  0, 0, -4, -4, 3, 3, -1, -1, -5, -5, 3, 3, -1, -1, -5, -5}}});
  CheckOp("ResizeNearestNeighborV2", {Pattern(DType::kF32, {1, 1, 3, 5}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4, 7})}, {},
          {{"f32[1,1,4,7]", {-5, -5, 2, -2, -2, 5, 1, -5, -5, 2, -2, -2, 5, 1, -3, -3, 4, 0, 0, -4, 3, -1, -1, -5, 2, 2, -2, 5}}});
  CheckOp("ResizeNearestNeighborV2", {Pattern(DType::kF32, {1, 1, 5, 5}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{3, 2})}, {},
          {{"f32[1,1,3,2]", {-5, -2, -3, 0, 1, 4}}});
  CheckOp("ResizeNearestNeighborV2", {Pattern(DType::kF32, {1, 1, 3, 3}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4, 4})},
          {{"scales_h", 1.4}, {"scales_w", 1.5}}, {{"f32[1,1,4,4]", {-5, -5, 2, -2, -5, -5, 2, -2, 5, 5, 1, -3, 4, 4, 0, -4}}});
  CheckOp("ResizeNearestNeighborV2", {Pattern(DType::kF64, {1, 1, 3, 3}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{7, 5})}, {},
          {{"f64[1,1,7,5]",
            {-5, -5, 2, 2, -2, -5, -5, 2, 2, -2, -5, -5, 2, 2, -2, 5, 5, 1, 1, -3, 5, 5, 1, 1, -3, 4, 4, 0, 0, -4, 4, 4, 0, 0, -4}}});
  CheckOp("ResizeBilinearV2", {Pattern(DType::kF32, {1, 1, 3, 3}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{5, 7})},
          {{"align_corners", true}}, {{"f32[1,1,5,7]", {}, false}});
  CheckOp("ResizeBicubicV2", {Pattern(DType::kF32, {1, 1, 3, 3}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{5, 7})}, {},
          {{"f32[1,1,5,7]", {}, false}});
  CheckOp("ResizeNearestNeighborV2Grad",
          {Pattern(DType::kF32, {1, 1, 6, 6}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{6, 6}),
           Tensor::Ints(std::vector<int64_t>{1, 1, 3, 3})},
          {}, {{"f32[1,1,3,3]", {}, false}});
  CheckOp("UpsampleLinear1d", {Pattern(DType::kF32, {1, 1, 3}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{5})}, {},
          {{"f32[1,1,5]", {}, false}});
  CheckOp("UpsampleTrilinear3d", {Pattern(DType::kF32, {1, 1, 3, 3, 3}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{5, 4, 3})}, {},
          {{"f32[1,1,5,4,3]", {}, false}});
}

TEST(NnOps, Others) {
  CheckOp("PixelShuffle", {Pattern(DType::kF32, {1, 8, 2, 3}, 7, 11, -5)}, {{"upscale_factor", 2}}, {{"f32[1,2,4,6]", {}, false}});
  CheckOp("PixelUnshuffle", {Pattern(DType::kF32, {1, 2, 4, 6}, 7, 11, -5)}, {{"downscale_factor", 2}}, {{"f32[1,8,2,3]", {}, false}});
  CheckOp("GridSampler2D", {Pattern(DType::kF32, {2, 3, 4, 4}, 7, 11, -5), Pattern(DType::kF32, {2, 5, 6, 2}, 7, 11, -5)}, {},
          {{"f32[2,3,5,6]", {}, false}});
  CheckOp(
      "Im2col", {Pattern(DType::kF32, {2, 4, 8, 8}, 7, 11, -5)},
      {{"ksizes", Attr::Ints({3, 3})}, {"dilations", Attr::Ints({1, 1})}, {"pads", Attr::Ints({1, 1})}, {"strides", Attr::Ints({2, 2})}},
      {{"f32[2,36,16]", {}, false}});
  CheckOp("Col2im", {Pattern(DType::kF32, {2, 36, 16}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{8, 8})},
          {{"kernel_size", Attr::Ints({3, 3})},
           {"dilation", Attr::Ints({1, 1})},
           {"padding", Attr::Ints({1, 1})},
           {"stride", Attr::Ints({2, 2})}},
          {{"f32[2,4,8,8]", {}, false}});
  CheckOp("MkldnnRnnLayer",
          {Pattern(DType::kF32, {7, 2, 5}, 7, 11, -5, 0.1), Pattern(DType::kF32, {16, 5}, 7, 11, -5, 0.1),
           Pattern(DType::kF32, {16, 4}, 7, 11, -5, 0.1), Pattern(DType::kF32, {16}, 7, 11, -5, 0.1),
           Pattern(DType::kF32, {16}, 7, 11, -5, 0.1), Pattern(DType::kF32, {1, 2, 4}, 7, 11, -5, 0.1),
           Pattern(DType::kF32, {1, 2, 4}, 7, 11, -5, 0.1)},
          {{"reverse", false},
           {"mode", 2},
           {"hidden_size", 4},
           {"num_layers", 1},
           {"has_biases", true},
           {"bidirectional", false},
           {"batch_first", false},
           {"train", false}},
          {{"f32[7,2,4]", {}, false}, {"f32[1,2,4]", {}, false}, {"f32[1,2,4]", {}, false}});
}

TEST(NnOps, GatherChecksItsIndices) {
  const Tensor x = Pattern(DType::kF32, {4, 3}, 7, 11, -5);
  for (int64_t index : {-1, 4}) {
    const OneOp one("GatherV2", {x, Tensor::Ints(std::vector<int64_t>{index})});
    ASSERT_NE(one.node(), nullptr) << one.error();
    std::vector<Tensor> outputs;
    const Status status = one.Run(outputs);
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT_NE(status.message().find("out of range"), std::string::npos) << status.message();
  }
}

}  // namespace
}  // namespace ge::testing
