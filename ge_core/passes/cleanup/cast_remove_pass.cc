#include "ge_core/passes/cleanup/cast_remove_pass.h"

#include "ge_core/base/str.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

// Binary digits that a type holds exactly: of integers all but the sign, of floats the significand. 0: not in the table.
int Digits(DType t) {
  switch (t) {
    case DType::kBool: return 1;
    case DType::kI8: return 7;
    case DType::kU8: return 8;
    case DType::kI16: return 15;
    case DType::kU16: return 16;
    case DType::kI32: return 31;
    case DType::kU32: return 32;
    case DType::kI64: return 63;
    case DType::kU64: return 64;
    case DType::kF16: return 11;
    case DType::kBF16: return 8;
    case DType::kF32: return 24;
    case DType::kF64: return 53;
    default: return 0;
  }
}

bool IsPlainFloat(DType t) { return t == DType::kF16 || t == DType::kBF16 || t == DType::kF32 || t == DType::kF64; }

DType Component(DType t) { return t == DType::kC64 ? DType::kF32 : t == DType::kC128 ? DType::kF64 : t; }

std::unique_ptr<NodePass> Make(const PassContext& c) { return std::make_unique<CastRemovePass>(c); }

}  // namespace

REG_PASS_OPTION(CastRemovePass)
    .Name("cast-remove")
    .Doc("Removes casts to the same dtype, and the first of two casts where it loses nothing.")
    .Levels(OptLevel::kO1)
    .Node(&Make);

bool LosslessCast(DType from, DType to) {
  if (IsComplex(from) && !IsComplex(to)) return false;
  from = Component(from), to = Component(to);
  if (!Digits(from) || !Digits(to)) return false;  // float8 and its like: not in the table
  if (from == to) return true;
  if (to == DType::kBool) return false;
  if (IsPlainFloat(from)) {
    // f16 has more digits than bf16, bf16 the larger range.
    if (!IsPlainFloat(to)) return false;
    return to == DType::kF64 || (to == DType::kF32 && from != DType::kF64);
  }
  // Integers. All that f16 and bf16 have digits for lies within their range.
  if (IsPlainFloat(to)) return Digits(from) <= Digits(to);
  if (IsSignedInt(from) && !IsSignedInt(to)) return false;
  return Digits(from) <= Digits(to);
}

bool SameWithoutStep(DType from, DType through, DType to) {
  if (!LosslessCast(from, through)) return false;
  if (IsComplex(through) && !IsComplex(to)) return false;
  if (to == DType::kBool || from == to) return Digits(Component(from)) != 0;
  if (!Digits(Component(to))) return false;
  if (IsPlainFloat(through) && IsIntegral(to)) return LosslessCast(from, to);
  const bool half = to == DType::kF16 || to == DType::kBF16;
  if (through == DType::kF64 && half) return IsPlainFloat(from) || LosslessCast(from, DType::kF32);
  return true;
}

std::span<const std::string_view> CastRemovePass::anchors() const {
  static constexpr std::string_view kAnchors[] = {"Cast"};
  return kAnchors;
}

CastRemovePass::Decision CastRemovePass::Decide(const Node& node, const Rewriter& rewriter) const {
  if (std::string kept = KeptByUser(node, fold_); !kept.empty()) return {nullptr, false, std::move(kept)};
  Value* x = node.input(0);
  const ValueType& type = node.output()->type();
  std::string why;
  if (x->type().dtype() == type.dtype()) {
    why = rewriter.WhyNotForward(*node.output(), *x);
    if (why.empty()) return {x, true, {}};
  }
  const Node& first = *x->producer();
  if (!first.Is("Cast")) return {nullptr, false, std::move(why)};
  Value* source = first.input(0);
  const ValueType &from = source->type(), &through = x->type();
  if (!SameWithoutStep(from.dtype(), through.dtype(), type.dtype()))
    return {nullptr, false,
            StrCat("from ", Name(from.dtype()), " through ", Name(through.dtype()), " to ", Name(type.dtype()),
                   " is not the same as directly")};
  if (!(from.layout == through.layout) || !(through.layout == type.layout) || from.format != type.format ||
      from.placement != type.placement)
    return {nullptr, false, StrCat("'", first.name(), "' or it changes the layout")};
  if (why = WhyNotReadPast(*x, *source, rewriter, fold_); !why.empty()) return {nullptr, false, std::move(why)};
  return {source, rewriter.MayForward(*node.output(), *source), {}};
}

std::string CastRemovePass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return node.Is("Cast") ? Decide(node, rewriter).why_not : std::string();
}

Result<bool> CastRemovePass::Run(Node& node, Rewriter& rewriter) {
  if (node.output()->unused()) return false;
  const Decision found = Decide(node, rewriter);
  if (!found.source) return false;
  if (found.forward) {
    GE_RETURN_IF_ERROR(rewriter.Forward(node, *found.source));
    return true;
  }
  Node& first = *node.input(0)->producer();
  GE_RETURN_IF_ERROR(rewriter.graph().SetInput(&node, 0, found.source));
  GE_RETURN_IF_ERROR(EraseIfOrphaned(first, rewriter));
  return true;
}

}  // namespace ge
