#pragma once
// CastRemovePass: a Cast to the dtype that its operand has goes, and of two casts the first goes where it loses nothing:
//
//   before                                       after
//     %a = Cast(%x) {dst_type=f32} : f32[4]        %0 = Cast(%a0) {dst_type=i64} : i64[4]
//     %b = Cast(%a) {dst_type=i64} : i64[4]        return %0
//     return %b                      // %x: i8[4]
//
// "Loses nothing" means: every value of the operand's dtype has an equal value in the middle one (LosslessCast). Kept,
// because the two ways would differ in some value: a float on its way to an integer through another float (what becomes of
// values out of range is each conversion's own), an integer on its way to f16 or bf16 through f64 (rounded at other places).
// A NaN stays a NaN, -0.0 stays -0.0; the payload of a NaN that goes to a wider type and back is not promised, as it is by
// no engine.
#include "ge_core/passes/cleanup/cleanup_util.h"
#include "ge_core/passes/pass_context.h"

namespace ge {

// Every value of `from`, converted to `to`, is the same number: exact, for all values, infinities and NaN included.
GE_API bool LosslessCast(DType from, DType to);
// Converting from `from` to `to` gives what converting through `through` gives, for all values.
GE_API bool SameWithoutStep(DType from, DType through, DType to);

class GE_API CastRemovePass final : public NodePass {
 public:
  explicit CastRemovePass(const PassContext& context) : fold_(context.fold) {}
  std::string_view name() const override { return "cast-remove"; }
  std::span<const std::string_view> anchors() const override;
  Result<bool> Run(Node& node, Rewriter& rewriter) override;
  std::string WhyNot(const Node& node, const Rewriter& rewriter) const override;

 private:
  // What `node` may read instead of its operand: itself forwarded, or cast; or why nothing.
  struct Decision {
    Value* source = nullptr;
    bool forward = false;
    std::string why_not;
  };
  Decision Decide(const Node& node, const Rewriter& rewriter) const;
  FoldOptions fold_;
};

}  // namespace ge
