#pragma once
// PreparedCall: an ATen overload with its argument list resolved at load. A run copies the argument template, patches
// in tensors and host integers, and calls the dispatcher.
#include <ATen/core/dispatch/Dispatcher.h>

#include "host_kernels/aten/tensor_slot.h"

namespace ge::aten {

class GE_API PreparedCall {
 public:
  // `overload`: "aten::add.Tensor". `args`: schema order; Attr::InputRef{i} stands for input i (a tensor or a sym).
  // Left-out trailing arguments take the schema's defaults. Fails with place and reason if the overload is unknown or an
  // argument does not fit its type.
  static Result<PreparedCall> Make(std::string_view overload, const Attr::List& args);

  // Takes `slots` (null: absent, passed as None). Results in schema order, lists flattened; None is an undefined tensor.
  // Tensors and numbers come back as IValues. Throws what the kernel throws.
  void Run(std::span<Slot* const> slots, std::vector<c10::IValue>& results) const;

  // Use the int64 values that input `input` holds (a host i64 tensor) as argument `arg`.
  void BindIntList(int arg, int input) { patches_.push_back({Patch::kIntsFromTensor, arg, {{input, {}}}}); }
  void BindInt(int arg, int input) { patches_.push_back({Patch::kIntFromTensor, arg, {{input, {}}}}); }
  void BindTransposed(int arg, int input) { patches_.push_back({Patch::kTransposedTensor, arg, {{input, {}}}}); }

  const c10::FunctionSchema& schema() const { return handle_->schema(); }

  // An in-place operator: it writes elements of its first argument and returns it. Those that change only what the tensor says of
  // its memory (transpose_, squeeze_) do not count.
  bool writes_first_argument() const;

  // A constant number stands where the schema has a Tensor. Python's dispatch modes accept that for arithmetic only.
  bool has_number_as_tensor() const { return number_as_tensor_; }

 private:
  struct Element {
    int input;  // -1: the constant
    c10::IValue constant;
  };
  struct Patch {
    enum Kind {
      kTensor,
      kTransposedTensor,
      kSym,
      kTensorList,
      kOptionalTensorList,
      kIntList,
      kFloatList,
      kScalarList,
      kIntsFromTensor,
      kIntFromTensor
    } kind;
    int arg;
    std::vector<Element> elements;
  };
  explicit PreparedCall(c10::OperatorHandle handle) : handle_(std::move(handle)) {}
  Status Add(const c10::TypePtr& type, const Attr& value, const std::string& where);

  std::optional<c10::OperatorHandle> handle_;
  std::vector<c10::IValue> stack_;
  std::vector<Patch> patches_;
  bool number_as_tensor_ = false;
};

// The constant as the IValue that an argument of this type takes; a number given for a Tensor becomes a wrapped number.
GE_API Result<c10::IValue> ToIValue(const Attr& value, const c10::TypePtr& type, const std::string& where);

}  // namespace ge::aten
