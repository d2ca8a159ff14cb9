// Linear layers y = x w^T + b of transformers: m rows, k columns of x, n of y. One row is a matrix-vector product.
#include "tests/benchmarks/kernels/kernel_case.h"

namespace ge::bench {
namespace {

struct Shape {
  const char* model;
  int64_t m, k, n;
};

const Shape kShapes[] = {
    {"bert", 128, 768, 768},  {"bert", 128, 768, 3072}, {"bert", 128, 3072, 768},  {"gpt2", 64, 768, 768},     {"gpt2", 64, 768, 2304},
    {"gpt2", 64, 768, 3072},  {"gpt2", 64, 3072, 768},  {"gpt2", 64, 768, 50257},  {"vit", 197, 192, 192},     {"vit", 197, 192, 576},
    {"vit", 197, 192, 768},   {"vit", 197, 768, 192},   {"decode", 1, 512, 512},   {"decode", 1, 512, 1536},   {"decode", 1, 512, 2048},
    {"decode", 1, 2048, 512}, {"decode", 1, 512, 8000}, {"decode", 1, 4096, 4096}, {"decode", 1, 4096, 11008},
};

KernelCase Make(const Shape& s) {
  KernelCase c;
  c.name = std::string(s.m == 1 ? "gemv/" : "matmul/") + s.model + "/" + std::to_string(s.m) + "x" + std::to_string(s.k) + "x" +
           std::to_string(s.n);
  c.op = "MatMulV2";
  c.attrs = "transpose_x2=true";
  c.inputs = {TypeText({s.m, s.k}), TypeText({s.n, s.k}), TypeText({s.n})};
  c.output = TypeText({s.m, s.n});
  c.flop = 2.0 * static_cast<double>(s.m * s.k * s.n);
  return c;
}

}  // namespace

std::vector<KernelCase> MatMuls() {
  std::vector<KernelCase> cases;
  for (const Shape& s : kShapes) cases.push_back(Make(s));
  return cases;
}

}  // namespace ge::bench
