#include "ge_core/passes/cleanup/dim1_transpose_pass.h"

#include <algorithm>

#include "ge_core/base/str.h"
#include "ge_core/passes/cleanup/cleanup_util.h"
#include "ge_core/passes/pass_def.h"

namespace ge {
namespace {

std::unique_ptr<NodePass> Make(const PassContext& c) { return std::make_unique<Dim1TransposePass>(c); }

// Row-major but for the strides of axes that have one position.
bool IsRowMajorInMemory(const ValueType& type) {
  if (IsRowMajor(type)) return true;
  if (type.layout.kind != StorageLayout::Kind::kStrided) return false;
  const std::vector<Dim> want = type.ContiguousStrides();
  for (size_t d = 0; d < want.size(); ++d)
    if (!type.shape()[d].Is(1) && !(type.layout.strides[d] == want[d])) return false;
  return true;
}

}  // namespace

REG_PASS_OPTION(Dim1TransposePass)
    .Name("dim1-transpose-to-reshape")
    .Alias("Dim1TransposeToSqueezePass")
    .Doc("Turns a permutation that only moves axes of extent 1 into a reshape.")
    .Levels(OptLevel::kO2)
    .Node(&Make);

std::string Dim1TransposePass::Refusal(const Node& node, const Rewriter& rewriter) const {
  if (std::string kept = KeptByUser(node, fold_); !kept.empty()) return kept;
  const auto perm = PermutationOf(node);
  const ValueType &x = node.input(0)->type(), &y = node.output()->type();
  if (!perm || !x.IsStatic() || !y.IsStatic()) return "its permutation or its shape is not known";
  int64_t last = -1;
  for (int64_t a : *perm) {
    if (x.shape()[static_cast<size_t>(a)].Is(1)) continue;
    if (a < last) return "it moves an axis of more than one position";
    last = a;
  }
  if (!IsRowMajor(x) || !IsRowMajorInMemory(y)) return "its operand or result is not stored row by row";
  if (rewriter.aliases().Escapes(node.output()) || rewriter.aliases().MayBeWritten(node.output()))
    return "its result is returned or may be written";
  const auto& uses = node.output()->uses();
  if (!IsRowMajor(y) && !std::all_of(uses.begin(), uses.end(), [](const Use& use) { return Relabels(*use.user); }))
    return "its result has strides of its own along an axis of extent 1";
  return {};
}

std::string Dim1TransposePass::WhyNot(const Node& node, const Rewriter& rewriter) const {
  return PermutesAxes(node) ? Refusal(node, rewriter) : std::string();
}

Result<bool> Dim1TransposePass::Run(Node& node, Rewriter& rewriter) {
  if (node.output()->unused() || !Refusal(node, rewriter).empty()) return false;
  std::vector<int64_t> shape;
  for (const Dim& d : node.output()->type().shape()) shape.push_back(d.value());
  ValueType type = node.output()->type();
  type.layout = {};
  Value* target = rewriter.Ints(shape, node);
  GE_ASSIGN_OR_RETURN(Node* const reshape, rewriter.Create("Reshape", {node.input(0), target}, {}, node, {std::move(type)}));
  Node* perm = node.num_inputs() > 1 && node.input(1) ? node.input(1)->producer() : nullptr;
  GE_RETURN_IF_ERROR(rewriter.Replace(node, *reshape));
  if (perm) GE_RETURN_IF_ERROR(EraseIfOrphaned(*perm, rewriter));
  return true;
}

}  // namespace ge
