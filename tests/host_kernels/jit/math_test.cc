// Accuracy of the generated functions against double, in units of the last place, over every 4,999th float: all
// exponents, both signs, denormals, infinities and NaNs. The bounds are at most twice those of eager (SLEEF, 1.0 ulp).
#include <bit>

#include "tests/host_kernels/engine_run.h"

namespace ge::testing {
namespace {

struct JitMath : ::testing::Test {
  void SetUp() override {
    if (!engine) GTEST_SKIP() << "libge_jit.so is absent";
  }
  // Runs a unary op over the values.
  std::vector<float> Run(std::string_view op, const std::vector<float>& x, const AttrMap& attrs = {}) {
    OneNode g;
    const Node& node = g.Make(op, {g.In(F32({static_cast<int64_t>(x.size())}))}, attrs);
    auto y = LoadAndRun(*engine, node, {x.data()});
    return {y[0].f32(), y[0].f32() + x.size()};
  }
  const Engine* engine = EngineOrNull("jit");
};

std::vector<float> Sweep() {
  std::vector<float> x = {0.0f,      -0.0f,    1.0f,     -1.0f,   INFINITY,      -INFINITY, NAN,    1e-45f, -1e-45f,
                          88.72283f, 88.7229f, -103.97f, -104.1f, 3.4028235e38f, 0.64f,     0.925f, 4.0f};
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 4999) x.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  for (int i = -200000; i <= 200000; ++i) x.push_back(static_cast<float>(i) * 1e-4f);  // dense where the functions bend
  return x;
}

// Distance in units of the last place of the exact result.
double Ulps(float y, double exact) {
  const float rounded = static_cast<float>(exact);
  if (std::isnan(rounded)) return std::isnan(y) ? 0 : HUGE_VAL;
  if (y == rounded) return y == 0 && std::signbit(y) != std::signbit(rounded) && exact == 0 ? HUGE_VAL : 0;
  if (std::isinf(rounded) || std::isinf(y)) {
    // Around the largest float, one step is fair.
    return std::abs(exact) > 3.4028232e38 && std::abs(exact) < 3.4028239e38 ? 1 : HUGE_VAL;
  }
  const double unit = std::ldexp(1.0, std::max(std::ilogb(rounded == 0 ? 1e-45f : rounded), -126) - 23);
  return std::abs(y - exact) / unit;
}

struct Function {
  const char* op;
  double (*exact)(double);
  double bound;
};

TEST_F(JitMath, WithinBoundsOfTheExactValues) {
  const Function functions[] = {
      {"Exp", [](double x) { return std::exp(x); }, 1.5},
      {"Expm1", [](double x) { return std::expm1(x); }, 1.5},
      {"Log", [](double x) { return std::log(x); }, 1.5},
      {"Log1p", [](double x) { return std::log1p(x); }, 1.5},
      {"Tanh", [](double x) { return std::tanh(x); }, 1.5},
      {"Erf", [](double x) { return std::erf(x); }, 1.5},
      {"Sqrt", [](double x) { return std::sqrt(x); }, 0.501},
      {"Reciprocal", [](double x) { return 1 / x; }, 0.501},
      {"Floor", [](double x) { return std::floor(x); }, 0},
      {"Ceil", [](double x) { return std::ceil(x); }, 0},
      {"Trunc", [](double x) { return std::trunc(x); }, 0},
      {"Round", [](double x) { return std::nearbyint(x); }, 0},
      {"Neg", [](double x) { return -x; }, 0},
      {"Abs", [](double x) { return std::abs(x); }, 0},
      {"Relu", [](double x) { return x < 0 ? 0.0 : x; }, 0},
  };
  const std::vector<float> x = Sweep();
  for (const Function& f : functions) {
    const std::vector<float> y = Run(f.op, x);
    double worst = 0;
    float at = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double ulps = Ulps(y[i], f.exact(x[i]));
      if (ulps > worst) {
        worst = ulps;
        at = x[i];
      }
    }
    std::printf("%-10s %.3f ulp, at %.9g\n", f.op, worst, static_cast<double>(at));
    EXPECT_LE(worst, f.bound) << f.op << " at " << at;
  }
}

// Compound functions: eager's own formula in float bounds what can be asked, so the reference kernel is the measure.
TEST_F(JitMath, CompoundFunctionsAreAsGoodAsTheReferenceKernels) {
  struct Compound {
    const char* op;
    AttrMap attrs;
    double (*exact)(double);
  };
  const Compound functions[] = {
      {"Sigmoid", {}, [](double x) { return 1 / (1 + std::exp(-x)); }},
      {"Swish", {}, [](double x) { return x / (1 + std::exp(-x)); }},
      {"GeluV2", {}, [](double x) { return 0.5 * x * (1 + std::erf(x * M_SQRT1_2)); }},
      {"GeluV2",
       {{"approximate", "tanh"}},
       [](double x) { return 0.5 * x * (1 + std::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x))); }},
      {"Mish", {}, [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
      {"SoftplusV2", {{"beta", 1}, {"threshold", 20}}, [](double x) { return x > 20 ? x : std::log1p(std::exp(x)); }},
      {"Elu", {{"alpha", 1}, {"scale", 1}, {"input_scale", 1}}, [](double x) { return x < 0 ? std::expm1(x) : x; }},
      {"HardSwish", {}, [](double x) { return x * std::min(std::max(x + 3, 0.0), 6.0) / 6; }},
  };
  std::vector<float> x;
  for (int i = -300000; i <= 300000; ++i) x.push_back(static_cast<float>(i) * 1e-4f);
  const Tensor input = Tensor::Of<float>(DType::kF32, {static_cast<int64_t>(x.size())}, x);
  for (const Compound& f : functions) {
    OneNode g;
    const Node& node = g.Make(f.op, {g.In(input.type())}, f.attrs);
    auto y = LoadAndRun(*engine, node, {x.data()});
    const Tensor r = Reference(node, {&input})[0];
    double ours = 0, eager = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double exact = f.exact(x[i]), scale = std::max(std::abs(exact), 1e-3);
      ours = std::max(ours, std::abs(y[0].f32()[i] - exact) / scale);
      eager = std::max(eager, std::abs(r.data<float>()[i] - exact) / scale);
    }
    std::printf("%-10s %.3g relative error, reference kernel %.3g\n", f.op, ours, eager);
    EXPECT_LE(ours, 2 * eager + 1.2e-7) << f.op;
  }
}

TEST_F(JitMath, MaximumAndMinimumAreLeftToAten) {
  for (const char* op : {"Maximum", "Minimum"}) {
    OneNode g;
    EXPECT_FALSE(engine->Supports(g.Make(op, {g.In(F32({7})), g.In(F32({7}))})).ok)
        << op << ": the sign of a zero would differ from eager's";
  }
}

TEST_F(JitMath, SpecialValuesOfReluAndClip) {
  const std::vector<float> a = {NAN, 1, -0.0f, 0.0f, INFINITY, -2, NAN};
  const std::vector<float> r = Run("Relu", a);
  EXPECT_TRUE(std::isnan(r[0]));
  EXPECT_TRUE(std::signbit(r[2])) << "eager's relu keeps -0.0";
  EXPECT_EQ(r[5], 0.0f);
  const std::vector<float> c = Run("ClipByValueV2", a, {{"min", -1.0}, {"max", 1}});
  EXPECT_TRUE(std::isnan(c[0]));
  EXPECT_EQ(c[4], 1.0f);
  EXPECT_EQ(c[5], -1.0f);
  EXPECT_EQ(Run("ClipByValueV2", a, {{"min", -1.0}})[4], INFINITY);
}

}  // namespace
}  // namespace ge::testing
