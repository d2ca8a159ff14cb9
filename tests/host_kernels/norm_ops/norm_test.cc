// LayerNormV4, GroupNorm, RmsNorm, batch normalisation and their gradients: types and values.
#include "tests/host_kernels/op_runner.h"

namespace ge::testing {
namespace {

TEST(NormOps, LayerNorm) {
  CheckOp("LayerNormV4",
          {Pattern(DType::kF32, {2, 3, 4}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4}), Pattern(DType::kF32, {4}, 3, 5, 1),
           Pattern(DType::kF32, {4}, 3, 5, -2)},
          {{"epsilon", 1e-05}},
          {{"f32[2,3,4]", {-3.3130641,  3.10090232, -2.05045128,  8.56532001,  -1.80000019,  -4.59999514,  1.79999757,  1.00000095,
                           -2.72289705, 7.10446405, -0.518068671, -3.22092295, -1.80000019,  -4.59999514,  1.79999757,  1.00000083,
                           -2.72289705, 7.10446405, -0.518068612, -3.22092295, -0.955815434, 0.0361372828, -4.05223179, 5.61448526}},
           {"f32[2,3,1]", {0, 0.49999997, -1.75, 1.5, -0.75000006, -0.25}},
           {"f32[2,3,1]", {0.26261279, 0.399999648, 0.321287572, 0.399999648, 0.321287572, 0.321287572}}},
          2e-6);
  CheckOp("LayerNormV4", {Pattern(DType::kF32, {2, 3, 4}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{3, 4}), Tensor(), Tensor()},
          {{"epsilon", 1e-05}},
          {{"f32[2,3,4]", {-1.37715292, 0.726135194, -0.475743711,  1.62754428,  0.425665468, -0.776213408, 1.32707453,  0.125195727,
                           -1.07668316, 1.02660489,  -0.175274,     -1.37715292, 0.595683098, -0.703989089, 1.57043719,  0.270765007,
                           -1.02890718, 1.24551904,  -0.0541530065, -1.35382509, 0.92060107,  -0.379071027, -1.67874312, 0.595683098}},
           {"f32[2,1,1]", {-0.416666687, 0.166666672}},
           {"f32[2,1,1]", {0.300469726, 0.324918032}}},
          2e-6);
  CheckOp("LayerNormV4",
          {Pattern(DType::kF32, {2, 4}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4}), Pattern(DType::kF32, {4}, 3, 5, 1), Tensor()},
          {{"epsilon", 1e-05}},
          {{"f32[2,4]", {-1.31306398, 2.10090232, -1.05045116, 6.56532001, 0.199999824, -5.59999514, 2.79999757, -0.999999046}},
           {"f32[2,1]", {0, 0.49999997}},
           {"f32[2,1]", {0.26261279, 0.399999648}}},
          2e-6);
  CheckOp("LayerNormV4",
          {Pattern(DType::kBF16, {2, 4}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4}), Pattern(DType::kBF16, {4}, 3, 5, 1),
           Pattern(DType::kBF16, {4}, 3, 5, -2)},
          {{"epsilon", 1e-05}},
          {{"bf16[2,4]", {-3.3125, 3.09375, -2.046875, 8.5625, -1.796875, -4.59375, 1.796875, 1}},
           {"bf16[2,1]", {0, 0.5}},
           {"bf16[2,1]", {0.26171875, 0.400390625}}},
          1e-2);
  CheckOp("LayerNormV4", {Pattern(DType::kF64, {2, 4}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4}), Tensor(), Tensor()},
          {{"epsilon", 1e-05}},
          {{"f64[2,4]", {-1.31306388, 0.52522555, -0.52522555, 1.31306388, 0.19999984, -1.39999888, 1.39999888, -0.19999984}},
           {"f64[2,1]", {0, 0.5}},
           {"f64[2,1]", {0.262612775, 0.39999968}}});
  CheckOp("LayerNormV4", {Pattern(DType::kF32, {0, 4}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4}), Tensor(), Tensor()},
          {{"epsilon", 1e-05}}, {{"f32[0,4]", {}}, {"f32[0,1]", {}}, {"f32[0,1]", {}}}, 2e-6);
}

TEST(NormOps, LayerNormGradients) {
  CheckOp("LayerNormGradV3",
          {Pattern(DType::kF32, {2, 3, 4}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 4}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4}),
           Pattern(DType::kF32, {2, 3, 1}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 1}, 7, 11, -5), Pattern(DType::kF32, {4}, 7, 11, -5),
           Pattern(DType::kF32, {4}, 7, 11, -5)},
          {{"output_mask", Attr::List{true, true, true}}}, {{"f32[2,3,4]", {}, false}, {"f32[4]", {}, false}, {"f32[4]", {}, false}});
  CheckOp("LayerNormGradV3",
          {Pattern(DType::kF32, {2, 3, 4}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 4}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4}),
           Pattern(DType::kF32, {2, 3, 1}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 1}, 7, 11, -5), Pattern(DType::kF32, {4}, 7, 11, -5),
           Pattern(DType::kF32, {4}, 7, 11, -5)},
          {{"output_mask", Attr::List{true, false, true}}}, {{"f32[2,3,4]", {}, false}, {"opaque", {}, false}, {"f32[4]", {}, false}});
  CheckOp("LayerNormGradV3",
          {Pattern(DType::kF32, {2, 3, 4}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 4}, 7, 11, -5), Tensor::Ints(std::vector<int64_t>{4}),
           Pattern(DType::kF32, {2, 3, 1}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 1}, 7, 11, -5), Pattern(DType::kF32, {4}, 7, 11, -5),
           Pattern(DType::kF32, {4}, 7, 11, -5)},
          {{"output_mask", Attr::List{false, true, false}}}, {{"opaque", {}, false}, {"f32[4]", {}, false}, {"opaque", {}, false}});
}

TEST(NormOps, GroupNorm) {
  CheckOp("GroupNorm",
          {Pattern(DType::kF32, {2, 4, 2, 3}, 7, 11, -5), Pattern(DType::kF32, {4}, 3, 5, 1), Pattern(DType::kF32, {4}, 3, 5, -2)},
          {{"num_groups", 2}, {"eps", 1e-05}, {"batch", 2}, {"channels", 4}, {"spatial", 6}},
          {{"f32[2,4,2,3]", {-3.37715268,   -1.27386487,  -2.47574377, -0.372455776, -1.57433462,  -2.77621341, 6.30829811,  1.50078285,
                             -3.30673218,   5.10641909,   0.298904061, -4.5086112,   0.191366076,  -2.40797806, 2.14087439,  -0.458469987,
                             -3.05781412,   1.4910382,    1.72923493,  -4.76912594,  6.60300541,   0.104644775, -6.39371586, 4.97841549,
                             -2.5956831,    -0.321256727, -1.620929,   -2.92060113,  -0.646174788, -1.94584703, -3.98207688, 5.11562872,
                             -0.0830601454, -5.28174925,  3.81595659,  -1.38273239,  1.75430548,   -0.64945209, -3.05320978, 1.15336609,
                             -1.25039148,   -3.65414906,  5.8810668,   -0.128327012, -6.13772058,  4.37871838,  -1.63067544, 8.88576317}},
           {"f32[2,2]", {-0.416666687, 0.166666672, -0.166666672, 0.416666687}},
           {"f32[2,2]", {0.300469697, 0.324918032, 0.324918061, 0.300469697}}},
          2e-6);
  CheckOp("GroupNorm", {Pattern(DType::kF32, {1, 4, 3}, 7, 11, -5), Tensor(), Tensor()},
          {{"num_groups", 4}, {"eps", 1e-05}, {"batch", 1}, {"channels", 4}, {"spatial", 3}},
          {{"f32[1,4,3]",
            {-1.16247571, 1.27872312, -0.116247579, 1.22474432, 0, -1.22474432, 1.22474432, 0, -1.22474432, 1.22474432, 0, -1.22474432}},
           {"f32[1,4]", {-1.66666663, 1, 0, -1}},
           {"f32[1,4]", {0.348742694, 0.30618608, 0.30618608, 0.30618608}}},
          2e-6);
  CheckOp("GroupNorm", {Pattern(DType::kF32, {2, 6}, 7, 11, -5), Tensor(), Tensor()},
          {{"num_groups", 3}, {"eps", 1e-05}, {"batch", 2}, {"channels", 6}, {"spatial", 1}},
          {{"f32[2,6]",
            {-0.999999642, 0.999999642, -0.999999642, 0.999999642, 0.999998748, -0.999998748, 0.999998748, -0.999998748, -0.999999642,
             0.999999642, 0.999998748, -0.999998748}},
           {"f32[2,3]", {-1.5, 1.5, -1, 2, -0.5, -3}},
           {"f32[2,3]", {0.285714179, 0.285714179, 0.499999374, 0.499999374, 0.285714179, 0.499999374}}},
          2e-6);
}

TEST(NormOps, GroupNormGradients) {
  CheckOp("GroupNormGrad",
          {Pattern(DType::kF32, {2, 4, 3}, 7, 11, -5), Pattern(DType::kF32, {2, 4, 3}, 7, 11, -5), Pattern(DType::kF32, {2, 2}, 7, 11, -5),
           Pattern(DType::kF32, {2, 2}, 7, 11, -5), Pattern(DType::kF32, {4}, 7, 11, -5)},
          {{"num_groups", 2}, {"batch", 2}, {"channels", 4}, {"spatial", 3}, {"output_mask", Attr::List{true, true, false}}},
          {{"f32[2,4,3]", {}, false}, {"f32[4]", {}, false}, {"opaque", {}, false}});
}

TEST(NormOps, RmsNorm) {
  CheckOp("RmsNorm", {Pattern(DType::kF32, {2, 4}, 7, 11, -5), Pattern(DType::kF32, {4}, 3, 5, 1)},
          {{"normalized_shape", Attr::Ints({4})}, {"epsilon", 1e-05}},
          {{"f32[2,4]", {-1.31306398, 2.10090232, -1.05045116, 6.56532001, 0.392231971, -4.70678377, 3.13785577, 0}},
           {"f32[2,1]", {0.26261279, 0.392231971}}});
  CheckOp("RmsNorm", {Pattern(DType::kF32, {2, 3, 4}, 7, 11, -5)}, {{"normalized_shape", Attr::Ints({3, 4})}},
          {{"f32[2,3,4]", {-1.49071205,
                           0.596284807,
                           -0.596284807,
                           1.49071205,
                           0.298142403,
                           -0.89442718,
                           1.19256961,
                           0,
                           -1.19256961,
                           0.89442718,
                           -0.298142403,
                           -1.49071205,
                           0.648885667,
                           -0.648885667,
                           1.6222142,
                           0.324442834,
                           -0.973328471,
                           1.29777133,
                           0,
                           -1.29777133,
                           0.973328471,
                           -0.324442834,
                           -1.6222142,
                           0.648885667}},
           {"f32[2,1,1]", {0.298142403, 0.324442834}}});
  CheckOp(
      "RmsNorm", {Pattern(DType::kBF16, {2, 4}, 7, 11, -5), Pattern(DType::kBF16, {4}, 3, 5, 1)}, {{"normalized_shape", Attr::Ints({4})}},
      {{"bf16[2,4]", {-1.3125, 2.09375, -1.046875, 6.5625, 0.392578125, -4.71875, 3.140625, 0}}, {"f32[2,1]", {0.262612849, 0.392232269}}},
      1e-2);
}

TEST(NormOps, BatchNorm) {
  CheckOp(
      "BNInfer",
      {Pattern(DType::kF32, {2, 3, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {3}, 3, 5, 1), Pattern(DType::kF32, {3}, 3, 5, -2),
       Pattern(DType::kF32, {3}, 2, 3, 0), Pattern(DType::kF32, {3}, 2, 3, 1)},
      {{"epsilon", 1e-05}},
      {{"f32[2,3,2,2]", {-6.9999752,  -1.00135803e-05, -3.99998999, 2.99997497,  -1.30939722,     -10.5469856, 5.61879444,  -3.61879444,
                         -8.07104969, 1.82842004,      -3.82841969, -9.48526001, -1.00135803e-05, -3.99998999, 2.99997497,  -1.00000501,
                         -10.5469856, 5.61879444,      -3.61879444, -12.8563833, 1.82842004,      -3.82841969, -9.48526001, 0.414210081}}});
  CheckOp(
      "BNInfer",
      {Pattern(DType::kF32, {4, 3}, 7, 11, -5), Tensor(), Tensor(), Pattern(DType::kF32, {3}, 2, 3, 0), Pattern(DType::kF32, {3}, 2, 3, 1)},
      {{"epsilon", 0.001}},
      {{"f32[4,3]",
        {-4.99750185, 0, -2.12079024, 4.99750185, -0.577254117, -2.8277204, 3.99800158, -1.15450823, -3.53465056, 2.9985013, -1.73176241,
         -4.24158049}}});
  CheckOp("BatchNorm",
          {Pattern(DType::kF32, {2, 3, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {3}, 3, 5, 1), Pattern(DType::kF32, {3}, 3, 5, -2),
           Pattern(DType::kF32, {3}, 2, 3, 0), Pattern(DType::kF32, {3}, 2, 3, 1)},
          {{"is_training", false}}, {{"f32[2,3,2,2]", {}, false}, {"f32[0]", {}, false}, {"f32[0]", {}, false}});
  CheckOp("BatchNorm",
          {Pattern(DType::kF32, {2, 3, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {3}, 3, 5, 1), Pattern(DType::kF32, {3}, 3, 5, -2)},
          {{"is_training", true}}, {{"f32[2,3,2,2]", {}, false}, {"f32[3]", {}, false}, {"f32[3]", {}, false}});
  CheckOp("BatchNormV3",
          {Pattern(DType::kF32, {2, 3, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {3}, 3, 5, 1), Pattern(DType::kF32, {3}, 3, 5, -2),
           Pattern(DType::kF32, {3}, 2, 3, 0), Pattern(DType::kF32, {3}, 2, 3, 1)},
          {{"is_training", true}},
          {{"f32[2,3,2,2]", {}, false}, {"f32[3]", {}, false}, {"f32[3]", {}, false}, {"f32[3]", {}, false}, {"f32[3]", {}, false}});
  CheckOp("BatchNormV3",
          {Pattern(DType::kF32, {2, 3, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {3}, 3, 5, 1), Pattern(DType::kF32, {3}, 3, 5, -2),
           Pattern(DType::kF32, {3}, 2, 3, 0), Pattern(DType::kF32, {3}, 2, 3, 1)},
          {{"is_training", false}},
          {{"f32[2,3,2,2]", {}, false}, {"f32[3]", {}, false}, {"f32[3]", {}, false}, {"f32[0]", {}, false}, {"f32[0]", {}, false}});
  CheckOp("BatchNormGradV3",
          {Pattern(DType::kF32, {2, 3, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {3}, 3, 5, 1),
           Pattern(DType::kF32, {3}, 2, 3, 0), Pattern(DType::kF32, {3}, 2, 3, 1), Pattern(DType::kF32, {3}, 2, 3, 0),
           Pattern(DType::kF32, {3}, 2, 3, 1)},
          {{"is_training", true}, {"epsilon", 1e-05}, {"output_mask", Attr::List{true, true, true}}},
          {{"f32[2,3,2,2]", {}, false}, {"f32[3]", {}, false}, {"f32[3]", {}, false}});
  CheckOp("BatchNormGradV3",
          {Pattern(DType::kF32, {2, 3, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {2, 3, 2, 2}, 7, 11, -5), Pattern(DType::kF32, {3}, 3, 5, 1),
           Pattern(DType::kF32, {3}, 2, 3, 0), Pattern(DType::kF32, {3}, 2, 3, 1), Pattern(DType::kF32, {3}, 2, 3, 0),
           Pattern(DType::kF32, {3}, 2, 3, 1)},
          {{"is_training", true}, {"epsilon", 1e-05}, {"output_mask", Attr::List{true, false, false}}},
          {{"f32[2,3,2,2]", {}, false}, {"opaque", {}, false}, {"opaque", {}, false}});
}

TEST(NormOps, Refusals) {
  const Tensor x = Pattern(DType::kBF16, {2, 4}, 7, 11, -5), f = Pattern(DType::kF32, {4}, 3, 5, 1);
  // bfloat16 with float32 parameters: FakeTensor and the kernel differ in the dtype of mean and rstd.
  CheckRefused("LayerNormV4", {x, Tensor::Ints(std::vector<int64_t>{4}), f}, {}, Code::kUnimplemented, "dtype");
  CheckRefused("LayerNormV4", {x, Tensor::Ints(std::vector<int64_t>{3})}, {}, Code::kInvalidArgument, "normalised extent");
  CheckRefused("GroupNorm", {x}, {{"num_groups", 3}}, Code::kInvalidArgument, "does not divide");
}

}  // namespace
}  // namespace ge::testing
