#include "host_kernels/aten/aten_engine.h"

#include "ge_core/base/str.h"
#include "host_kernels/thread_count.h"

namespace ge::aten {
namespace {

void PutResult(Slot& slot, c10::IValue&& v) {
  if (v.isTensor()) {
    PutTensor(slot, std::move(v).toTensor());
    return;
  }
  slot.object.reset();
  if (v.isNone()) {
    slot.kind = ValueType::Kind::kOpaque;
    slot.data = nullptr;
    return;
  }
  slot.kind = ValueType::Kind::kSym;  // the slot's dtype is the planned type of the value
  const at::Scalar s = v.toScalar();
  if (s.isBoolean())
    slot.dtype = DType::kBool, slot.sym.b = s.toBool();
  else if (s.isIntegral(false))
    slot.dtype = DType::kI64, slot.sym.i = s.toLong();
  else
    slot.dtype = DType::kF64, slot.sym.f = s.toDouble();
}

// The plan counts on it that this operator's results own their memory: planned memory is used again after its last reader.
// A kernel that returns a view of planned memory all the same gets a copy, with the view's strides.
void Detach(std::span<Slot* const> inputs, c10::IValue& result) {
  const at::Tensor t = result.toTensor();
  if (!t.defined() || !t.has_storage()) return;
  for (const Slot* s : inputs) {
    if (!s || !s->planned || !s->object || s->object.ops() != &kTensorOps) continue;
    const auto* input = static_cast<const at::TensorImpl*>(s->object.get());
    if (!input->has_storage() || input->storage().unsafeGetStorageImpl() != t.storage().unsafeGetStorageImpl()) continue;
    if (t.is_non_overlapping_and_dense() || t.storage().nbytes() < t.nbytes()) {
      result = t.clone();
    } else {
      at::Tensor copy = at::empty_strided(t.sizes(), t.strides(), t.options());
      copy.copy_(t);
      result = std::move(copy);
    }
    return;
  }
}

// So few elements that a second thread costs more than it brings; some of ATen's kernels start one for any number of rows.
bool IsTiny(const Node& node) {
  constexpr int64_t kTinyElements = 4096;
  int64_t elements = 0;
  const auto add = [&](const Value* v) {
    if (!v || !v->type().IsTensor()) return true;
    if (!v->type().IsStatic()) return false;
    for (const Dim& d : v->type().shape())
      if (d.value() > kTinyElements) return false;
    elements += v->type().StaticNumElements();
    return elements <= kTinyElements;
  };
  for (const Value* v : node.inputs())
    if (!add(v)) return false;
  for (int i = 0; i < node.num_outputs(); ++i)
    if (!add(node.output(i))) return false;
  return true;
}

class AtenExecutable final : public Executable {
 public:
  AtenExecutable(NodeCall call, const Node& node, std::string where)
      : call_(std::move(call)), may_alias_(node.may_alias_inputs()), tiny_(IsTiny(node)), where_(std::move(where)) {}

  Status Run(KernelContext& context) const override {
    try {
      std::vector<c10::IValue> results;
      results.reserve(call_.outputs.size());
      const ThreadCount threads(tiny_ ? 1 : 0);
      call_.call.Run(context.inputs, results);
      if (results.size() < call_.outputs.size())
        return Internal(StrCat(where_, ": ", results.size(), " results, ", call_.outputs.size(), " expected"));
      if (call_.copy_from >= 0) {
        const at::Tensor view = results[0].toTensor(), source = GetTensor(*context.inputs[static_cast<size_t>(call_.copy_from)]);
        TORCH_CHECK(view.sizes() == source.sizes(), "expected src to have a size equal to the slice of self. src size = ", source.sizes(),
                    ", slice size = ", view.sizes());  // copy_ would broadcast
        view.copy_(source);
        results[0] = GetTensor(*context.inputs[0]);
      }
      if (!may_alias_)
        for (c10::IValue& v : results)
          if (v.isTensor()) Detach(context.inputs, v);
      for (size_t i = 0; i < call_.outputs.size(); ++i)
        if (call_.outputs[i] >= 0) PutResult(*context.outputs[static_cast<size_t>(call_.outputs[i])], std::move(results[i]));
      return {};
    } catch (...) {  // what eager raises must reach the user unchanged
      *context.exception = std::current_exception();
      return Status(Code::kForeign, where_);
    }
  }

 private:
  NodeCall call_;
  bool may_alias_, tiny_;
  std::string where_;
};

}  // namespace

Support AtenEngine::Supports(const Node& node) const {
  Result<NodeCall> call = MakeNodeCall(node, mappings_);
  return call.ok() ? Support::Yes() : Support::No(call.message());
}

Result<std::unique_ptr<Executable>> AtenEngine::Load(const Node& node) const {
  GE_ASSIGN_OR_RETURN(NodeCall call, MakeNodeCall(node, mappings_));
  return std::unique_ptr<Executable>(
      std::make_unique<AtenExecutable>(std::move(call), node, StrCat(node.op().name, " '", node.name(), "' ", node.loc())));
}

}  // namespace ge::aten
