#pragma once
// The operators that the oneDNN engine runs: one row each, tried by name.
#include "host_kernels/onednn/packed.h"
#include "host_kernels/onednn/product.h"

namespace ge::onednn {

struct OpRow {
  std::string_view op;
  Support (*supports)(const Product&);
  std::vector<LayoutPreference> (*preferences)(const Product&);  // null: none
  Result<std::unique_ptr<Executable>> (*load)(const Product&);
  bool epilogue = true;  // element-wise nodes may follow in a region
};

extern const OpRow kMatMulRow;
extern const OpRow kBatchMatMulRow;
extern const OpRow kBatchMatMulV2Row;
extern const OpRow kConv2DRow;
extern const OpRow kConv3DRow;
extern const OpRow kConv2DTransposeRow;
extern const OpRow kConv3DTransposeRow;
extern const OpRow kLstmRow;
extern const OpRow kAttentionRow;
extern const OpRow kFlashAttentionRow;
extern const OpRow kTransDataRow;

// Refusals that all operators share. Empty string: fine.
// A static, non-empty f32 or bf16 tensor on the device; `packed_allowed` says whether an engine's own layout may be read.
std::string CheckOperand(const Node& node, int input, bool packed_allowed);
std::string CheckType(std::string_view what, const ValueType& type, bool packed_allowed);

}  // namespace ge::onednn
