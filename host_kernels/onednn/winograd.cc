#include "host_kernels/onednn/winograd.h"

#include <omp.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "ge_core/ir/algorithm.h"
#include "host_kernels/float_state.h"
#include "host_kernels/onednn/winograd_transform.h"

namespace ge::onednn {
namespace {

using winograd::kPositions;

// Of x and of the filter. Below, no sum of any transform or product overflows: the bounds' product times 81 / 4 times the input
// channels stays under 1e36.
constexpr float kLargest = 1e15F;
// Both transforms of a block stay in the second-level caches.
constexpr int64_t kBlockBytes = 1 << 20;

struct Problem {
  int64_t batch = 0, height = 0, width = 0, in = 0, out = 0;
  int64_t down() const { return (height + 1) / 2; }
  int64_t across() const { return (width + 1) / 2; }
  int64_t tiles() const { return batch * down() * across(); }
  int64_t blocks() const { return std::max<int64_t>(1, (tiles() * kPositions * (in + out) * 4 + kBlockBytes / 2) / kBlockBytes); }
  int64_t block_tiles() const { return (tiles() + blocks() - 1) / blocks(); }
};

Problem Read(const Product& p) {
  const Dims x = StaticDims(p.input(0)), y = StaticDims(p.output());
  return {x[0], x[2], x[3], x[1], y[1]};
}

dnnl::matmul::primitive_desc Describe(const Problem& problem, const Desc& filter) {
  const int64_t rows = problem.block_tiles();
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return {{PlainDesc({rows, problem.in}, {problem.in, 1}, DType::kF32), filter,
           PlainDesc({rows, problem.out}, {problem.out, 1}, DType::kF32)},
          attr,
          CpuEngine()};
}

// One step of an epilogue on a row of channels.
struct RowOp {
  int operand = -1;  // input to add; -1: clamp
  float low = 0, high = 0;
};

Result<std::vector<RowOp>> ReadEpilogue(const Product& p) {
  std::vector<RowOp> ops;
  for (const PostOp& op : p.post_ops()) {
    if (op.algorithm == dnnl::algorithm::binary_add) {
      const ValueType& other = p.node().input(op.operand)->type();
      if (other.dtype() != DType::kF32 || other.shape() != p.output().shape() || !IsChannelsLast(other))
        return Unimplemented("an addend is not of the result's shape and layout");
      ops.push_back({op.operand, 0, 0});
    } else if (op.algorithm == dnnl::algorithm::eltwise_clip) {
      ops.push_back({-1, op.alpha, op.beta});
    } else if (op.algorithm == dnnl::algorithm::eltwise_relu && op.alpha == 0) {
      ops.push_back({-1, 0, HUGE_VALF});
    } else {
      return Unimplemented("an epilogue other than addition and clamping");
    }
  }
  return ops;
}

class WinogradFilter : public Executable {
 public:
  WinogradFilter(const ValueType& from, const PackedDesc& to) : dims_(StaticDims(from)), strides_(StaticStrides(from)), parts_(PartsOf(to.desc)) {
    const int64_t out = dims_[0], in = dims_[1];
    const int dense = pack_.AddWorkspace(PlainDesc({kPositions, in, out}, {in * out, out, 1}, DType::kF32));
    pack_.AddReorder(dense, pack_.AddOperand(Program::Source::kOutput, 0, to.desc));
  }

  int64_t workspace_bytes() const override { return pack_.workspace_bytes(); }

  Status Run(KernelContext& context) const override {
    const Slot *from = context.inputs[0], *to = context.outputs[0];
    if (!from || !from->data || !to || !to->data) return Internal("packing a filter: an operand has no memory");
    const float* w = static_cast<const float*>(from->data);
    char* packed = static_cast<char*>(to->data);
    float* plain = reinterpret_cast<float*>(packed + parts_.filter);
    float* dense = reinterpret_cast<float*>(context.workspace);  // the first of the program's buffers
    const int64_t out = dims_[0], in = dims_[1];
    bool small = true;
    for (int64_t o = 0; o < out; ++o) {
      for (int64_t i = 0; i < in; ++i) {
        float g[9], u[kPositions];
        for (int64_t r = 0; r < 3; ++r)
          for (int64_t c = 0; c < 3; ++c) g[r * 3 + c] = w[o * strides_[0] + i * strides_[1] + r * strides_[2] + c * strides_[3]];
        for (float v : g) small = small && std::abs(v) < kLargest;
        std::memcpy(plain + (o * in + i) * 9, g, sizeof g);
        winograd::TransformFilter(g, u);
        for (int64_t q = 0; q < kPositions; ++q) dense[(q * in + i) * out + o] = u[q];
      }
    }
    std::memset(packed + parts_.flag, 0, 64);
    *reinterpret_cast<float*>(packed + parts_.flag) = small ? 1.0F : 0.0F;
    return pack_.Run(context);
  }

 private:
  Dims dims_, strides_;
  WinogradParts parts_;
  Program pack_;
};

class WinogradConvolution : public Executable {
 public:
  WinogradConvolution(const Product& product, const Problem& problem, std::vector<RowOp> epilogue, const PackedDesc& filter,
                      Result<std::unique_ptr<Executable>> (*direct)(const Product&))
      : product_(product), p_(problem), epilogue_(std::move(epilogue)), direct_loader_(direct) {
    const Desc part = PartOf(filter.desc);
    flag_ = PartsOf(filter.desc).flag;
    const dnnl::matmul::primitive_desc pd = Describe(p_, part);
    const int64_t rows = p_.block_tiles();
    for (int64_t q = 0; q < kPositions; ++q) {
      Program& gemm = gemms_[static_cast<size_t>(q)];
      gemm.AddStep(dnnl::matmul(pd),
                   {{DNNL_ARG_SRC, gemm.AddOperand(Program::Source::kInput, 0, pd.src_desc(), q * rows * p_.in * 4)},
                    {DNNL_ARG_WEIGHTS,
                     gemm.AddOperand(Program::Source::kInput, 1, pd.weights_desc(), q * static_cast<int64_t>(part.get_size()))},
                    {DNNL_ARG_DST, gemm.AddOperand(Program::Source::kOutput, 0, pd.dst_desc(), q * rows * p_.out * 4)}},
                   pd.scratchpad_desc());
    }
    scratch_ = (gemms_[0].workspace_bytes() + 63) / 64 * 64;
    filter_slot_ = product.slot(1);
    bias_slot_ = product.has(2) ? product.slot(2) : -1;
    x_slot_ = product.slot(0);
  }

  int64_t workspace_bytes() const override { return At().end + workspace_threads_ * (RowBytes() + scratch_); }

  Status Run(KernelContext& context) const override {
    const auto data = [](const Slot* s) { return s ? static_cast<char*>(s->data) : nullptr; };
    const char *x = data(context.inputs[static_cast<size_t>(x_slot_)]), *filter = data(context.inputs[static_cast<size_t>(filter_slot_)]);
    const char* bias = bias_slot_ >= 0 ? data(context.inputs[static_cast<size_t>(bias_slot_)]) : nullptr;
    char* y = data(context.outputs[0]);
    if (!x || !filter || !y || (bias_slot_ >= 0 && !bias)) return Internal("convolution: an operand has no memory");
    if (*reinterpret_cast<const float*>(filter + flag_) != 1.0F) return RunDirect(context);

    const Places at = At();
    float* v = reinterpret_cast<float*>(context.workspace);
    float* m = reinterpret_cast<float*>(context.workspace + at.products);
    float* zeros = reinterpret_cast<float*>(context.workspace + at.zeros);
    std::fill(zeros, zeros + p_.in, 0.0F);
    const int threads = std::min<int>(context.num_threads, workspace_threads_);
    const int64_t blocks = p_.blocks(), rows = p_.block_tiles();
    std::atomic<bool> failed{false};
    Status failure;
    uint32_t most = 0;
    const FloatState state;
#pragma omp parallel num_threads(threads) reduction(max : most)
    {
      state.Adopt();
      const int64_t team = omp_get_num_threads(), me = omp_get_thread_num();
      std::byte* own = context.workspace + at.end + me * (RowBytes() + scratch_);
      Slot in[2], out;
      in[0].data = v;
      in[1].data = const_cast<char*>(filter);
      out.data = m;
      Slot *inputs[2] = {&in[0], &in[1]}, *outputs[1] = {&out};
      KernelContext gemm;
      gemm.inputs = inputs;
      gemm.outputs = outputs;
      gemm.workspace = own + RowBytes();
      for (int64_t block = 0; block < blocks; ++block) {
        const int64_t first = block * rows, count = std::min(rows, p_.tiles() - first);
        const int64_t begin = count * me / team, end = count * (me + 1) / team;
        for (int64_t t = begin; t < end; ++t)
          most = std::max(most, ReadTile(reinterpret_cast<const float*>(x), zeros, first + t, v + t * p_.in, rows * p_.in));
#pragma omp barrier
        for (int64_t q = me; q < kPositions; q += team) {
          Status status = gemms_[static_cast<size_t>(q)].Run(gemm);
          if (!status.ok() && !failed.exchange(true)) failure = std::move(status);
        }
#pragma omp barrier
        for (int64_t t = begin; t < end; ++t)
          WriteTile(m + t * p_.out, rows * p_.out, reinterpret_cast<const float*>(bias), first + t, reinterpret_cast<float*>(y), context,
                    reinterpret_cast<float*>(own));
        // What the products read of v is written again by the next block's transform, and only after the barrier above.
      }
    }
    if (failed) return failure;
    return std::bit_cast<float>(most) < kLargest ? Status() : RunDirect(context);  // a NaN is not less
  }

 private:
  struct Places {
    int64_t products = 0, zeros = 0, end = 0;
  };
  static int64_t Whole(int64_t bytes) { return (bytes + 63) / 64 * 64; }
  int64_t RowBytes() const { return Whole(p_.out * 4); }  // results of a tile that lie outside of y
  Places At() const {
    Places at;
    at.products = Whole(kPositions * p_.block_tiles() * p_.in * 4);
    at.zeros = at.products + Whole(kPositions * p_.block_tiles() * p_.out * 4);
    at.end = at.zeros + Whole(p_.in * 4);
    return at;
  }

  struct Tile {
    int64_t image, row, column;  // of the first result
  };
  Tile TileAt(int64_t t) const {
    const int64_t across = p_.across(), down = p_.down();
    return {t / (across * down), t / across % down * 2, t % across * 2};
  }

  uint32_t ReadTile(const float* x, const float* zeros, int64_t t, float* v, int64_t plane) const {
    const Tile tile = TileAt(t);
    const float* pixels[kPositions];
    for (int64_t i = 0; i < 4; ++i)
      for (int64_t j = 0; j < 4; ++j) {
        const int64_t row = tile.row + i - 1, column = tile.column + j - 1;
        const bool inside = row >= 0 && row < p_.height && column >= 0 && column < p_.width;
        pixels[i * 4 + j] = inside ? x + ((tile.image * p_.height + row) * p_.width + column) * p_.in : zeros;
      }
    return winograd::TransformInput(pixels, p_.in, v, plane);
  }

  void WriteTile(const float* m, int64_t plane, const float* bias, int64_t t, float* y, KernelContext& context, float* outside) const {
    const Tile tile = TileAt(t);
    float* rows[4];
    int64_t offsets[4];
    for (int64_t i = 0; i < 4; ++i) {
      const int64_t row = tile.row + i / 2, column = tile.column + i % 2;
      offsets[i] = row < p_.height && column < p_.width ? ((tile.image * p_.height + row) * p_.width + column) * p_.out : -1;
      rows[i] = offsets[i] >= 0 ? y + offsets[i] : outside;
    }
    winograd::TransformOutput(m, plane, bias, p_.out, rows);
    for (const RowOp& op : epilogue_) {
      const float* other = op.operand >= 0 ? static_cast<const float*>(context.inputs[static_cast<size_t>(op.operand)]->data) : nullptr;
      for (int64_t i = 0; i < 4; ++i) {
        if (offsets[i] < 0) continue;
        if (other)
          winograd::AddRow(rows[i], other + offsets[i], p_.out);
        else
          winograd::ClampRow(rows[i], op.low, op.high, p_.out);
      }
    }
  }

  Status RunDirect(KernelContext& context) const {
    std::call_once(direct_made_, [this] {
      auto made = Guard("a convolution", [&] { return direct_loader_(product_); });
      if (made.ok())
        direct_ = *std::move(made);
      else
        direct_error_ = made.message();
    });
    if (!direct_) return Internal("convolution: cannot load the direct algorithm: " + direct_error_);
    std::vector<std::byte> memory(static_cast<size_t>(direct_->workspace_bytes()) + 63);
    KernelContext own;
    own.inputs = context.inputs;
    own.outputs = context.outputs;
    own.num_threads = context.num_threads;
    own.workspace = reinterpret_cast<std::byte*>((reinterpret_cast<uintptr_t>(memory.data()) + 63) & ~uintptr_t{63});
    return direct_->Run(own);
  }

  Product product_;
  Problem p_;
  std::vector<RowOp> epilogue_;
  Result<std::unique_ptr<Executable>> (*direct_loader_)(const Product&);
  std::array<Program, kPositions> gemms_;
  int64_t flag_ = 0, scratch_ = 0;
  int x_slot_ = 0, filter_slot_ = 0, bias_slot_ = -1;
  int workspace_threads_ = std::max(1, omp_get_num_procs());  // how many threads a call will have is not known before
  mutable std::once_flag direct_made_;
  mutable std::unique_ptr<Executable> direct_;  // null after direct_made_: direct_error_ says why
  mutable std::string direct_error_;
};

}  // namespace

bool PackedForWinograd(const ValueType& filter) {
  if (filter.layout.kind != StorageLayout::Kind::kPacked) return false;
  auto packed = Guard("a packed layout", [&] { return ParsePacked(filter); });
  return packed.ok() && packed->view.winograd;
}

bool UsesWinograd(const Product& p) {
  const ValueType& filter = p.input(1);
  return filter.layout.kind == StorageLayout::Kind::kPacked ? PackedForWinograd(filter) : p.anchor().Str(kAlgorithmMark) == kWinograd;
}

std::string WhyNoWinograd(const Product& p) {
  if (!p.anchor().Is("Conv2D")) return "only Conv2D";
  const ValueType &x = p.input(0), &w = p.input(1), &y = p.output();
  if (x.dtype() != DType::kF32) return StrCat("only f32, not ", Name(x.dtype()));
  const auto all = [&](std::string_view name, int64_t wanted) {
    return std::ranges::all_of(p.anchor().Ints(name), [&](int64_t v) { return v == wanted; });
  };
  if (x.rank() != 4 || !w.shape()[2].Is(3) || !w.shape()[3].Is(3)) return "only filters of 3 x 3";
  if (!all("strides", 1) || !all("dilations", 1) || !all("pads", 1) || p.anchor().Int("groups") != 1)
    return "only stride 1, padding 1, no dilation, one group";
  if (!IsChannelsLast(x) || !IsChannelsLast(y)) return "activations are not in channels-last order";
  const Problem problem = Read(p);
  // Measured (docs/onednn.md): below, the transforms cost what the products save.
  if (problem.in < 32 || problem.out < 32) return "too few channels to be worth it";
  if (problem.tiles() < 16) return "too few pixels to be worth it";
  auto epilogue = ReadEpilogue(p);
  return epilogue.ok() ? std::string() : epilogue.message();
}

Result<StorageLayout> WinogradLayout(const Product& p) {
  const Problem problem = Read(p);
  const ThreadCount one(1);
  const auto pd = Describe(problem, AnyDesc({problem.in, problem.out}, DType::kF32));
  GE_RETURN_IF_ERROR(CheckImplementation(pd));
  auto name = PackedName(Stacked(pd.weights_desc(), kPositions), {.winograd = true});
  if (!name) return Unimplemented("the library's layout of the transformed filter has no name");
  return StorageLayout::Packed(*std::move(name));
}

Result<std::unique_ptr<Executable>> LoadWinogradFilter(const ValueType& from, const PackedDesc& to) {
  return std::unique_ptr<Executable>(std::make_unique<WinogradFilter>(from, to));
}

Result<std::unique_ptr<Executable>> LoadWinograd(const Product& p, Result<std::unique_ptr<Executable>> (*direct)(const Product&)) {
  GE_ASSIGN_OR_RETURN(const PackedDesc packed, ParsePacked(p.input(1)));
  GE_ASSIGN_OR_RETURN(std::vector<RowOp> epilogue, ReadEpilogue(p));
  const ThreadCount one(1);
  return std::unique_ptr<Executable>(std::make_unique<WinogradConvolution>(p, Read(p), std::move(epilogue), packed, direct));
}

}  // namespace ge::onednn
