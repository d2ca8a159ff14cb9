#pragma once
// Tensor factories: the rows of layout, device and pin_memory arguments that mean a plain CPU tensor, and dtype rules.
#include "host_kernels/element_util.h"
#include "host_kernels/shape_util.h"

// GE_FACTORY_ROWS("aten::full(#dims, @fill_value, @dtype, ", ")"): layout, device and pin_memory follow the head. The
// first row executes: explicit, so that a default device set by the user meanwhile does not matter.
#define GE_FACTORY_ROWS(head, tail)                  \
  Aten(head "none, \"cpu\", false" tail)             \
      .Aten(head "\"strided\", \"cpu\", false" tail) \
      .Aten(head "\"strided\", \"cpu\", none" tail)  \
      .Aten(head "none, \"cpu\", none" tail)         \
      .Aten(head "none, none, false" tail)           \
      .Aten(head "none, none, none" tail)            \
      .Aten(head "\"strided\", none, none" tail)     \
      .Aten(head "\"strided\", none, false" tail)

namespace ge {

// The dtype attribute, or `otherwise` where it is absent.
inline DType DTypeOr(const InferContext& ctx, DType otherwise) {
  const Attr a = ctx.attr("dtype");
  const DType* t = a.Get<DType>();
  return t ? *t : otherwise;
}

// A shape operand of a factory: dims, none negative.
inline Result<Shape> FactoryShape(const InferContext& ctx, int i) {
  GE_ASSIGN_OR_RETURN(Shape shape, OperandDims(ctx, i));
  for (const Dim& d : shape)
    if (d.IsConst() && d.value() < 0) return InvalidArgument(StrCat(ctx.op.name, ": extent ", d.value(), " is negative"));
  return shape;
}

// Fills `out` with a number attribute, as full does. Raises where eager raises, for empty tensors too.
inline Status FillWith(const Attr& value, Tensor& out, std::string_view op) {
  alignas(16) std::byte element[16];
  const bool half = out.dtype() == DType::kF16 || out.dtype() == DType::kBF16;
  if (const auto d = value.AsDouble(); half && d && out.num_elements() == 1) {
    // Eager writes a single element by way of double: what a 16-bit float cannot hold becomes infinity instead of raising.
    if (out.dtype() == DType::kF16)
      *out.mutable_data<elem::Half>() = elem::Half(static_cast<float>(*d));
    else
      *out.mutable_data<elem::BFloat16>() = elem::BFloat16(static_cast<float>(*d));
    return {};
  }
  GE_RETURN_IF_ERROR(StoreScalar(value, out.dtype(), element, op));
  SplatElement(out, element);
  return {};
}

}  // namespace ge
