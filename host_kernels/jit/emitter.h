#pragma once
// Emitter: vector IR for one step of the loop, `width` elements at a time. Arithmetic is strict IEEE single precision:
// no fast-math flag, no contraction; fused multiply-add stands only where a function below writes it.
#include <llvm/IR/IRBuilder.h>

namespace ge::jit {

using V = llvm::Value*;

class Emitter {
 public:
  Emitter(llvm::IRBuilder<>& builder, unsigned width, bool avx512) : b_(builder), width_(width), avx512_(avx512) {}

  V Const(double v) const;  // rounded to f32, in every lane
  V IntConst(int32_t v) const;
  V Add(V x, V y) { return b_.CreateFAdd(x, y); }
  V Sub(V x, V y) { return b_.CreateFSub(x, y); }
  V Mul(V x, V y) { return b_.CreateFMul(x, y); }
  V Div(V x, V y) { return b_.CreateFDiv(x, y); }
  V Neg(V x) { return b_.CreateFNeg(x); }
  V Fma(V x, V y, V z) { return b_.CreateIntrinsic(llvm::Intrinsic::fma, {x->getType()}, {x, y, z}); }
  V Unary(llvm::Intrinsic::ID id, V x) { return b_.CreateUnaryIntrinsic(id, x); }
  V Abs(V x) { return Unary(llvm::Intrinsic::fabs, x); }
  V CopySign(V magnitude, V sign) { return b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, magnitude, sign); }
  V Select(V condition, V x, V y) { return b_.CreateSelect(condition, x, y); }
  V Compare(llvm::CmpInst::Predicate p, V x, V y) { return b_.CreateFCmp(p, x, y); }
  V Less(V x, V y) { return b_.CreateFCmpOLT(x, y); }  // false if a side is NaN
  V Greater(V x, V y) { return b_.CreateFCmpOGT(x, y); }
  // c[0] + x * (c[1] + x * ...), by fused multiply-add.
  V Polynomial(V x, std::initializer_list<double> c);

  // PyTorch's maximum and minimum: NaN if either side is NaN; of two zeros the second.
  V Maximum(V x, V y);
  V Minimum(V x, V y);
  // Elementary functions, each within 1.5 units in the last place (tests/host_kernels/jit/math_test.cc has the figures).
  V Exp(V x);
  V Expm1(V x);
  V Log(V x);
  V Log1p(V x);
  V Tanh(V x);
  V Erf(V x);
  V Sigmoid(V x) { return Div(Const(1), Add(Const(1), Exp(Neg(x)))); }

  llvm::IRBuilder<>& builder() { return b_; }

 private:
  struct Reduced {
    V n, n_int, q;
  };  // x = n ln2 + r,  q = e^r - 1
  Reduced Reduce(V x);
  V ScaleByPowerOfTwo(V x, const Reduced& by);
  V AsInt(V x) { return b_.CreateBitCast(x, IntType()); }
  V AsFloat(V x) { return b_.CreateBitCast(x, FloatType()); }
  llvm::Type* FloatType() const { return llvm::FixedVectorType::get(b_.getFloatTy(), width_); }
  llvm::Type* IntType() const { return llvm::FixedVectorType::get(b_.getInt32Ty(), width_); }

  llvm::IRBuilder<>& b_;
  unsigned width_;
  bool avx512_;
};

}  // namespace ge::jit
