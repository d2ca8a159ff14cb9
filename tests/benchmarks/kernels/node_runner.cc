#include "tests/benchmarks/kernels/node_runner.h"

#include <cstdlib>

#include "ge_core/base/str.h"
#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"
#include "npu_runtime/engine_library.h"

namespace ge::bench {
namespace {

constexpr size_t kAlignment = 64;

// Strided activations are permutations of dense ones: as many bytes.
int64_t StorageBytes(const ValueType& type) { return type.layout.PackedBytes().value_or(type.StaticBytes()); }

const Node* Find(const Module& module, std::string_view op) {
  for (const Node* node : module.entry().nodes()) {
    if (node->Is(op)) return node;
  }
  return nullptr;
}

// The first engine that takes the node, in the order of placement.
Result<const Engine*> Place(const Node& node) {
  std::string reasons;
  for (const char* name : {"jit", "simd", "onednn"}) {
    const Result<const Engine*> engine = OpenEngine(name);
    const Support support = engine.ok() ? (*engine)->Supports(node) : Support::No(engine.message());
    if (support.ok) return *engine;
    reasons += StrCat(reasons.empty() ? "" : "; ", support.reason);
  }
  return Unimplemented(StrCat("no engine takes the node: ", reasons));
}

}  // namespace

void Buffer::Free::operator()(float* p) const { std::free(p); }  // NOLINT: from aligned_alloc

Buffer::Buffer(const ValueType& type) {
  const size_t bytes = (static_cast<size_t>(StorageBytes(type)) / kAlignment + 1) * kAlignment, count = bytes / sizeof(float);
  data_.reset(static_cast<float*>(std::aligned_alloc(kAlignment, bytes)));
  GE_CHECK(data_ != nullptr, "out of memory");
  for (size_t i = 0; i < count; ++i) data_[i] = static_cast<float>(i * 7 % 19) / 9.5f - 0.95f;
}

Result<std::unique_ptr<NodeRunner>> NodeRunner::Create(const KernelCase& kernel_case, int threads) {
  GE_ASSIGN_OR_RETURN(std::unique_ptr<Module> plain, ParseModule(kernel_case.Text(), HostOps()));
  const Node* asked = Find(*plain, kernel_case.op);
  GE_ASSIGN_OR_RETURN(const Engine* engine, Place(*asked));
  std::map<int, std::string> packed;
  for (const LayoutPreference& wish : engine->Preferences(*asked)) {
    if (wish.side != LayoutPreference::Side::kInput || wish.layout.kind != StorageLayout::Kind::kPacked) continue;
    ValueType type = asked->input(wish.operand)->type();
    type.layout = wish.layout;
    packed[wish.operand] = ToString(type);
  }

  std::unique_ptr<NodeRunner> runner(new NodeRunner());
  runner->engine_ = engine;
  GE_ASSIGN_OR_RETURN(runner->module_, ParseModule(kernel_case.Text(packed), HostOps()));
  const Node& node = *Find(*runner->module_, kernel_case.op);
  GE_ASSIGN_OR_RETURN(runner->kernel_, engine->Load(node));
  std::vector<Buffer> inputs;
  for (const Value* value : node.inputs()) {
    const Node& producer = *value->producer();
    if (!producer.Is("TransData")) {
      inputs.emplace_back(value->type());
      continue;
    }
    NodeRunner pack;
    GE_ASSIGN_OR_RETURN(pack.kernel_, engine->Load(producer));
    std::vector<Buffer> weight;
    weight.emplace_back(producer.input(0)->type());
    GE_RETURN_IF_ERROR(pack.Bind(producer, std::move(weight), threads));
    GE_RETURN_IF_ERROR(pack.Run());
    inputs.push_back(std::move(pack.buffers_.back()));
  }
  GE_RETURN_IF_ERROR(runner->Bind(node, std::move(inputs), threads));
  return runner;
}

Status NodeRunner::Bind(const Node& node, std::vector<Buffer> inputs, int threads) {
  const size_t num_inputs = inputs.size();
  buffers_ = std::move(inputs);
  for (const Value* value : node.inputs()) bytes_ += static_cast<double>(value->type().StaticBytes());
  for (int i = 0; i < node.num_outputs(); ++i) {
    buffers_.emplace_back(node.output(i)->type());
    bytes_ += static_cast<double>(node.output(i)->type().StaticBytes());
  }
  slots_ = std::vector<Slot>(buffers_.size());
  for (size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].data = buffers_[i].data();
    (i < num_inputs ? inputs_ : outputs_).push_back(&slots_[i]);
  }
  workspace_ = std::make_unique<Buffer>(ValueType::Tensor(DType::kI8, {kernel_->workspace_bytes()}));
  context_.inputs = inputs_;
  context_.outputs = outputs_;
  context_.workspace = static_cast<std::byte*>(workspace_->data());
  context_.num_threads = threads;
  return {};
}

Status NodeRunner::Run() { return kernel_->Run(context_); }

}  // namespace ge::bench
