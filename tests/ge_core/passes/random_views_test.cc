// Property: on random chains of operators that only move, relabel, copy or convert elements, the whole pipeline keeps every
// value bit by bit, settles, and finds nothing more to do in a second run.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "ge_core/eval/evaluate.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"
#include "ge_core/passes/pipeline.h"
#include "tests/ge_core/passes/test_graphs.h"

namespace ge {
namespace {
using namespace ge::testing;

class Chains {
 public:
  Chains(Builder& b, unsigned seed) : b_(b), rng_(seed) {}

  void Fill(int size) {
    for (int i = 0; i < 2; ++i) values_.push_back(b_.In(ValueType::Tensor(DType::kI32, RandomShape())));
    for (int i = 0; i < size; ++i)
      if (Value* v = Next(*values_[Pick(values_.size())])) values_.push_back(v);
    std::vector<Value*> results;
    for (size_t i = 0; i < 1 + Pick(4); ++i) results.push_back(values_[values_.size() - 1 - Pick(std::min<size_t>(values_.size(), 6))]);
    b_.Return(results);
  }

 private:
  size_t Pick(size_t n) { return static_cast<size_t>(rng_() % n); }

  // Up to four axes of 24 elements, now and then of none.
  Shape RandomShape() {
    std::vector<int64_t> factors = {2, 2, 2, 3};
    std::shuffle(factors.begin(), factors.end(), rng_);
    std::vector<int64_t> extents(1 + Pick(4), 1);
    for (int64_t f : factors) extents[Pick(extents.size())] *= f;
    return Shape(extents.begin(), extents.end());
  }
  Value* Ints(const std::vector<int64_t>& v) { return b_.C(v); }

  Value* Next(Value& x) {
    const ValueType& t = x.type();
    const int64_t rank = t.rank();
    std::vector<int64_t> extents;
    for (const Dim& d : t.shape()) extents.push_back(d.value());
    std::vector<int64_t> axes(static_cast<size_t>(rank));
    std::iota(axes.begin(), axes.end(), 0);
    switch (Pick(20)) {
      case 0:
      case 1: {
        std::shuffle(axes.begin(), axes.end(), rng_);
        return b_.Op("Transpose", {&x, Ints(axes)});
      }
      case 2: return rank ? b_.Op("Transpose", {&x}, {{"dim0", static_cast<int64_t>(Pick(axes.size()))}, {"dim1", int64_t{-1}}}) : nullptr;
      case 3: {
        std::shuffle(axes.begin(), axes.end(), rng_);
        return b_.Op("Permute", {&x}, {{"order", Attr::Ints(axes)}});
      }
      case 4:
      case 5: {
        std::vector<int64_t> to;
        for (const Dim& d : RandomShape()) to.push_back(d.value());
        return b_.Op("Reshape", {&x, Ints(to)});
      }
      case 6: return b_.Op("Reshape", {&x, Ints({-1})});
      case 7: return rank < 5 ? b_.Op("ExpandDims", {&x, Ints({static_cast<int64_t>(Pick(axes.size() + 1))})}) : nullptr;
      case 8: return b_.Op("SqueezeV3", {&x});
      case 9: return rank ? b_.Op("FlattenV2", {&x}, {{"axis", static_cast<int64_t>(Pick(axes.size()))}}) : nullptr;
      case 10: return b_.Op("Identity", {&x});
      case 11: return b_.Op("TensorMove", {&x});
      case 12:
      case 13: {
        constexpr DType kTo[] = {DType::kI32, DType::kI64, DType::kI16, DType::kF64, DType::kI8};
        return b_.Op("Cast", {&x}, {{"dst_type", kTo[Pick(5)]}});
      }
      case 14: return b_.Op("Slice", {&x, Ints(std::vector<int64_t>(axes.size(), 0)), Ints(extents)});
      case 15: return b_.Op("Tile", {&x, Ints(std::vector<int64_t>(axes.size(), 1))});
      case 16: return b_.Op("PadV3", {&x, Ints(std::vector<int64_t>(2 * axes.size(), 0))});
      case 17: return b_.Op("Abs", {&x});
      case 18: {
        for (Value* other : values_) {  // one that x can be broadcast to, if there is any
          const Shape& to = other->type().shape();
          bool fits = other != &x && to.size() >= t.shape().size() && other->type().dtype() == t.dtype();
          for (size_t k = 1; fits && k <= t.shape().size(); ++k)
            fits = t.shape()[t.shape().size() - k].Is(1) || t.shape()[t.shape().size() - k] == to[to.size() - k];
          if (!fits) continue;
          std::vector<int64_t> wide;
          for (const Dim& d : to) wide.push_back(d.value());
          return b_.Op("Sub", {b_.Op("BroadcastTo", {&x, Ints(wide)}), other});
        }
        return nullptr;
      }
      default: {
        std::vector<Value*> parts = {&x};
        return rank ? b_.Op("ConcatV2", parts, {{"concat_dim", static_cast<int64_t>(Pick(axes.size()))}}) : nullptr;
      }
    }
  }

  Builder& b_;
  std::mt19937 rng_;
  std::vector<Value*> values_;
};

Tensor Counting(const ValueType& type) {
  Tensor t(type);
  for (int64_t i = 0; i < t.num_elements(); ++i) t.mutable_data<int32_t>()[i] = static_cast<int32_t>(i * 2654435761u);
  return t;
}

TEST(RandomViews, ThePipelineKeepsValues) {
  const PassRegistry registry = PassRegistry::WithBuiltins();
  const HostCpuEngine engine(&HostKernels());
  const auto options = PassOptions::Parse({}, registry);
  ASSERT_TRUE(options.ok()) << options.message();
  size_t before_total = 0, after_total = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Module m(HostOps());
    Builder b(m);
    Chains(b, seed).Fill(4 + static_cast<int>(seed % 24));
    std::unique_ptr<Module> before = m.Clone();
    PotentialConsts marks;
    const PassContext context{.evaluator = &engine, .potential_consts = &marks};
    PassReport report;
    auto manager = BuildPipeline(registry, *options, context, {.verify = Verify, .check_changed_flag = true}, &report);
    ASSERT_TRUE(manager.ok());
    const Status s = manager->Run(m, &report);
    ASSERT_TRUE(s.ok()) << "seed " << seed << ": " << s.message();
    for (const StageReport& stage : report.stages) EXPECT_TRUE(stage.converged) << "seed " << seed << " in " << stage.stage;

    std::vector<Tensor> inputs;
    for (const Node* n : before->entry().inputs()) inputs.push_back(Counting(n->output()->type()));
    const auto expected = Evaluate(*before, inputs, engine), actual = Evaluate(m, inputs, engine);
    ASSERT_TRUE(expected.ok()) << expected.message();
    ASSERT_TRUE(actual.ok()) << actual.message();
    for (size_t i = 0; i < expected->outputs.size(); ++i)
      ASSERT_EQ(expected->outputs[i], actual->outputs[i]) << "seed " << seed << ", result " << i << "\n" << Print(*before) << Print(m);
    const auto compute = [](const Module& module) {
      size_t count = 0;
      for (const Node* n : module.entry().nodes()) count += !n->op().Has(kSkeleton);
      return count;
    };
    ASSERT_LE(compute(m), compute(*before)) << "seed " << seed;
    before_total += compute(*before), after_total += compute(m);

    PassReport again;
    auto second = BuildPipeline(registry, *options, context, {}, &again);
    ASSERT_TRUE(second->Run(m, &again).ok());
    for (const StageReport& stage : again.stages)
      for (const PassRun& run : stage.passes) EXPECT_EQ(run.changes, 0) << "seed " << seed << ": " << run.pass << " in " << stage.stage;
  }
  EXPECT_LT(after_total * 2, before_total);
}

}  // namespace
}  // namespace ge
