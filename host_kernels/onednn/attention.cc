// ScaledDotProductAttention and FusedInferAttentionScore of several queries, f32. A block of queries of one head at a time: its scores
// with all keys are a matrix that stays in the second-level cache between two of the library's products. Queries, keys and values
// are read as they lie.
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>

#include "host_kernels/float_state.h"
#include "host_kernels/fused_attention/softmax_row.h"
#include "host_kernels/onednn/kernels.h"

namespace ge::onednn {
namespace {

using attention::Problem;

constexpr int64_t kBlockScores = 1 << 17;  // half a MiB
constexpr int64_t kMostRows = 128, kLeastRows = 32;
constexpr int64_t kCausalBlocks = 8;  // each of them has primitives of its own, for the keys that its queries see

int64_t RowsOf(const Problem& p) {
  int64_t rows = std::clamp(kBlockScores / p.keys, kLeastRows, kMostRows);
  if (p.causal) rows = std::max(rows, (p.queries + kCausalBlocks - 1) / kCausalBlocks);
  return std::min(rows, p.queries);
}

// Keys that queries [0, end) see.
int64_t KeysUpTo(const Problem& p, int64_t end) { return p.causal ? std::min(p.keys, end) : p.keys; }

dnnl::matmul::primitive_desc ScoresDesc(const Problem& p, int64_t rows, int64_t keys) {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return {{PlainDesc({rows, p.size}, {p.q[2], 1}, DType::kF32), PlainDesc({p.size, keys}, {1, p.k[2]}, DType::kF32),
           PlainDesc({rows, keys}, {keys, 1}, DType::kF32)},
          attr,
          CpuEngine()};
}
dnnl::matmul::primitive_desc ValuesDesc(const Problem& p, int64_t rows, int64_t keys) {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return {{PlainDesc({rows, keys}, {keys, 1}, DType::kF32), PlainDesc({keys, p.value_size}, {p.v[2], 1}, DType::kF32),
           PlainDesc({rows, p.value_size}, {p.y[2], 1}, DType::kF32)},
          attr,
          CpuEngine()};
}

class Attention : public Executable {
 public:
  explicit Attention(const Problem& problem) : p_(problem), rows_(RowsOf(problem)) {
    for (int64_t first = 0; first < p_.queries; first += rows_) {
      const Shape shape = ShapeAt(first);
      auto [it, fresh] = programs_.try_emplace(shape);
      if (!fresh) continue;
      Add(it->second.scores, ScoresDesc(p_, shape.first, shape.second));
      Add(it->second.values, ValuesDesc(p_, shape.first, shape.second));
      scratch_ = std::max({scratch_, it->second.scores.workspace_bytes(), it->second.values.workspace_bytes()});
    }
    scratch_ = (scratch_ + 63) / 64 * 64;
  }

  int64_t workspace_bytes() const override { return workspace_threads_ * (ScoreBytes() + scratch_); }

  Status Run(KernelContext& context) const override {
    const auto data = [](std::span<Slot* const> slots, size_t i) {
      return i < slots.size() && slots[i] ? static_cast<char*>(slots[i]->data) : nullptr;
    };
    const Operands at{data(context.inputs, 0), data(context.inputs, 1), data(context.inputs, 2), p_.has_mask ? data(context.inputs, 3) : nullptr,
                      data(context.outputs, 0), p_.has_lse ? data(context.outputs, 1) : nullptr};
    if (!at.q || !at.k || !at.v || !at.y || (p_.has_mask && !at.mask) || (p_.has_lse && !at.lse))
      return Internal("attention: an operand has no memory; the executor must bind it before Run");
    const int64_t blocks = (p_.queries + rows_ - 1) / rows_, tasks = p_.batch * p_.heads * blocks;
    const double operations = 2.0 * static_cast<double>(p_.batch * p_.heads * p_.queries * p_.keys) * static_cast<double>(p_.size + p_.value_size);
    const int threads = Program::IsSmall(operations) ? 1 : static_cast<int>(std::min<int64_t>({context.num_threads, workspace_threads_, tasks}));
    std::atomic<int64_t> next{0};
    std::atomic<bool> failed{false};
    Status failure;
    const FloatState state;
#pragma omp parallel num_threads(threads)
    {
      state.Adopt();
      std::byte* own = context.workspace + omp_get_thread_num() * (ScoreBytes() + scratch_);
      // From the end: causal blocks there are the largest.
      for (int64_t task; (task = next++) < tasks && !failed;) {
        Status status = RunBlock(at, (tasks - 1 - task) / blocks, (tasks - 1 - task) % blocks * rows_, own);
        if (!status.ok() && !failed.exchange(true)) failure = std::move(status);
      }
    }
    return failure;
  }

 private:
  using Shape = std::pair<int64_t, int64_t>;  // rows, keys
  struct Programs {
    Program scores, values;
  };
  struct Operands {
    char *q, *k, *v, *mask, *y, *lse;
  };

  static void Add(Program& program, const dnnl::matmul::primitive_desc& pd) {
    program.AddStep(dnnl::matmul(pd),
                    {{DNNL_ARG_SRC, program.AddOperand(Program::Source::kInput, 0, pd.src_desc())},
                     {DNNL_ARG_WEIGHTS, program.AddOperand(Program::Source::kInput, 1, pd.weights_desc())},
                     {DNNL_ARG_DST, program.AddOperand(Program::Source::kOutput, 0, pd.dst_desc())}},
                    pd.scratchpad_desc());
  }
  static Status Multiply(const Program& program, void* a, void* b, void* c, std::byte* scratch) {
    Slot in[2], out;
    in[0].data = a;
    in[1].data = b;
    out.data = c;
    Slot *inputs[2] = {&in[0], &in[1]}, *outputs[1] = {&out};
    KernelContext context;
    context.inputs = inputs;
    context.outputs = outputs;
    context.workspace = scratch;
    return program.Run(context);
  }

  // Scores of a block, and a sum a row.
  int64_t ScoreBytes() const { return (rows_ * (p_.keys + 1) * 4 + 63) / 64 * 64; }
  Shape ShapeAt(int64_t first) const {
    const int64_t rows = std::min(rows_, p_.queries - first);
    return {rows, KeysUpTo(p_, first + rows)};
  }

  // Queries from `first` on of head `head`, counted through all batches.
  Status RunBlock(const Operands& at, int64_t head, int64_t first, std::byte* own) const {
    const int64_t b = head / p_.heads, h = head % p_.heads, kv = h / p_.repeat;
    const auto [rows, keys] = ShapeAt(first);
    const Programs& programs = programs_.at({rows, keys});
    const auto floats = [](char* data, int64_t elements) { return reinterpret_cast<float*>(data) + elements; };
    float* s = reinterpret_cast<float*>(own);
    float* y = floats(at.y, b * p_.y[0] + h * p_.y[1] + first * p_.y[2]);
    GE_RETURN_IF_ERROR(Multiply(programs.scores, floats(at.q, b * p_.q[0] + h * p_.q[1] + first * p_.q[2]),
                                floats(at.k, b * p_.k[0] + kv * p_.k[1]), s, own + ScoreBytes()));
    float* sums = s + rows_ * p_.keys;  // of the exponentials of a row
    for (int64_t i = 0; i < rows; ++i) {
      const int64_t query = first + i, seen = KeysUpTo(p_, query + 1);
      const char* mask = at.mask ? at.mask + (b * p_.mask[0] + h * p_.mask[1] + query * p_.mask[2]) * (p_.mask_dtype == DType::kBool ? 1 : 4)
                                 : nullptr;
      float largest = 0;
      sums[i] = attention::SoftmaxRow(p_, mask, seen, s + i * keys, &largest);
      std::fill(s + i * keys + seen, s + (i + 1) * keys, 0.0F);
      if (at.lse) *floats(at.lse, b * p_.lse[0] + h * p_.lse[1] + query * p_.lse[2]) = largest + std::log(sums[i]);
    }
    GE_RETURN_IF_ERROR(Multiply(programs.values, s, floats(at.v, b * p_.v[0] + kv * p_.v[1]), y, own + ScoreBytes()));
    for (int64_t i = 0; i < rows; ++i) attention::ScaleRow(y + i * p_.y[2], sums[i] == 0 ? 0.0F : 1.0F / sums[i], p_.value_size);
    return {};
  }

  Problem p_;
  int64_t rows_, scratch_ = 0;
  std::map<Shape, Programs> programs_;
  int64_t workspace_threads_ = std::max(1, omp_get_num_procs());  // how many threads a call will have is not known before
};

Result<Problem> ReadProblem(const Node& node) {
  GE_ASSIGN_OR_RETURN(const Problem p, attention::Read(node));
  // One row after the other, as the library's descriptors have it.
  if (p.q[2] < p.size || p.k[2] < p.size || p.v[2] < p.value_size || (p.queries > 1 && p.y[2] < p.value_size))
    return Unimplemented("positions of an operand overlap");
  return p;
}

Support Supports(const Product& product) {
  const Node& node = product.node();
  auto p = ReadProblem(node);
  if (!p.ok()) return Support::No(StrCat(node.op().name, ": ", p.message()));
  const int64_t rows = RowsOf(*p);
  auto checked = Guard("attention", [&]() -> Status {
    const ThreadCount one(1);
    GE_RETURN_IF_ERROR(CheckImplementation(ScoresDesc(*p, rows, KeysUpTo(*p, rows))));
    return CheckImplementation(ValuesDesc(*p, rows, KeysUpTo(*p, rows)));
  });
  return checked.ok() ? Support::Yes() : Support::No(StrCat(node.op().name, ": ", checked.message()));
}

Result<std::unique_ptr<Executable>> Load(const Product& product) {
  GE_ASSIGN_OR_RETURN(const Problem p, ReadProblem(product.node()));
  const ThreadCount one(1);
  return std::unique_ptr<Executable>(std::make_unique<Attention>(p));
}

}  // namespace

const OpRow kAttentionRow{"ScaledDotProductAttention", Supports, nullptr, Load, false};
const OpRow kFlashAttentionRow{"FusedInferAttentionScore", Supports, nullptr, Load, false};

}  // namespace ge::onednn
