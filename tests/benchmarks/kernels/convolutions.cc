// The convolutions of two image models: x is [1,c,h,h], the filter [o,c/groups,k,k], padding keeps the extent at stride 1.
#include "tests/benchmarks/kernels/kernel_case.h"

namespace ge::bench {
namespace {

struct Shape {
  int64_t c, h, o, k, stride, groups;
};

const Shape kResNet50[] = {
    {3, 224, 64, 7, 2, 1},     {64, 56, 64, 1, 1, 1},   {64, 56, 64, 3, 1, 1},    {64, 56, 256, 1, 1, 1},   {256, 56, 64, 1, 1, 1},
    {256, 56, 128, 1, 1, 1},   {128, 56, 128, 3, 2, 1}, {128, 28, 512, 1, 1, 1},  {256, 56, 512, 1, 2, 1},  {512, 28, 128, 1, 1, 1},
    {128, 28, 128, 3, 1, 1},   {512, 28, 256, 1, 1, 1}, {256, 28, 256, 3, 2, 1},  {256, 14, 1024, 1, 1, 1}, {512, 28, 1024, 1, 2, 1},
    {1024, 14, 256, 1, 1, 1},  {256, 14, 256, 3, 1, 1}, {1024, 14, 512, 1, 1, 1}, {512, 14, 512, 3, 2, 1},  {512, 7, 2048, 1, 1, 1},
    {1024, 14, 2048, 1, 2, 1}, {2048, 7, 512, 1, 1, 1}, {512, 7, 512, 3, 1, 1},
};

const Shape kMobileNetV2[] = {
    {3, 224, 32, 3, 2, 1},  {32, 112, 32, 3, 1, 32},   {32, 112, 16, 1, 1, 1},    {16, 112, 96, 1, 1, 1},    {96, 112, 96, 3, 2, 96},
    {96, 56, 24, 1, 1, 1},  {24, 56, 144, 1, 1, 1},    {144, 56, 144, 3, 1, 144}, {144, 56, 24, 1, 1, 1},    {144, 56, 144, 3, 2, 144},
    {144, 28, 32, 1, 1, 1}, {32, 28, 192, 1, 1, 1},    {192, 28, 192, 3, 1, 192}, {192, 28, 32, 1, 1, 1},    {192, 28, 192, 3, 2, 192},
    {192, 14, 64, 1, 1, 1}, {64, 14, 384, 1, 1, 1},    {384, 14, 384, 3, 1, 384}, {384, 14, 64, 1, 1, 1},    {384, 14, 96, 1, 1, 1},
    {96, 14, 576, 1, 1, 1}, {576, 14, 576, 3, 1, 576}, {576, 14, 96, 1, 1, 1},    {576, 14, 576, 3, 2, 576}, {576, 7, 160, 1, 1, 1},
    {160, 7, 960, 1, 1, 1}, {960, 7, 960, 3, 1, 960},  {960, 7, 160, 1, 1, 1},    {960, 7, 320, 1, 1, 1},    {320, 7, 1280, 1, 1, 1},
};

std::string ActivationText(int64_t c, int64_t h, bool channels_last) {
  return channels_last ? TypeText({1, c, h, h}, {c * h * h, 1, c * h, c}) : TypeText({1, c, h, h});
}

KernelCase Make(const std::string& model, const Shape& s, bool channels_last, bool winograd = false) {
  const int64_t pad = s.k / 2, out = (s.h + 2 * pad - s.k) / s.stride + 1, inner = s.c / s.groups * s.k * s.k;
  const auto twice = [](const char* name, int64_t v) {
    return std::string(name) + "=[" + std::to_string(v) + ", " + std::to_string(v) + "]";
  };
  KernelCase c;
  c.name = "conv/" + model + "/" + std::to_string(s.c) + "x" + std::to_string(s.h) + "x" + std::to_string(s.h) + "/" + std::to_string(s.o) +
           "x" + std::to_string(s.k) + "x" + std::to_string(s.k) + "/stride" + std::to_string(s.stride) +
           (s.groups > 1 ? "/depthwise" : "") + (channels_last ? "/nhwc" : "/nchw") + (winograd ? "/winograd" : "");
  c.op = "Conv2D";
  c.attrs = twice("dilations", 1) + ", groups=" + std::to_string(s.groups) + ", " + twice("pads", pad) + ", " + twice("strides", s.stride);
  if (winograd) c.attrs += ", _algorithm=\"winograd\"";
  c.inputs = {ActivationText(s.c, s.h, channels_last), TypeText({s.o, s.c / s.groups, s.k, s.k}), TypeText({s.o})};
  c.output = ActivationText(s.o, out, channels_last);
  c.flop = 2.0 * static_cast<double>(s.o * out * out * inner);
  return c;
}

}  // namespace

std::vector<KernelCase> Convolutions() {
  std::vector<KernelCase> cases;
  for (bool channels_last : {false, true}) {
    for (const Shape& s : kResNet50) cases.push_back(Make("resnet50", s, channels_last));
    for (const Shape& s : kMobileNetV2) cases.push_back(Make("mobilenetv2", s, channels_last));
  }
  // Of the direct algorithm's FLOP: shares of the limit over 100 % are what Winograd's saves.
  for (const Shape& s : kResNet50)
    if (s.k == 3 && s.stride == 1) cases.push_back(Make("resnet50", s, true, true));
  return cases;
}

}  // namespace ge::bench
