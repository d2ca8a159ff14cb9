#pragma once
// Types, attributes and tensor literals as text. Internal to the text form; the public entry points are in text.h.
#include "ge_core/ir/attr.h"
#include "ge_core/ir/text_cursor.h"

namespace ge::text {

// What is left of ParseOptions::max_constant_bytes.
struct Budget {
  int64_t bytes;
};

Result<ValueType> ParseTypeAt(Cursor& cursor);
Result<Attr> ParseAttrAt(Cursor& cursor, Budget& budget);
// A number (every element has it) or a list, flat or nested as the shape; `type` is a static tensor type.
Result<Tensor> ParseTensorAt(Cursor& cursor, const ValueType& type, Budget& budget);
// Moves past a literal whose type is not known yet.
Status SkipLiteral(Cursor& cursor);
// "{" id "=" attr "," ... "}"; an absent list is empty.
Result<AttrMap> ParseAttrsAt(Cursor& cursor, Budget& budget);
// An identifier or a quoted string: graph and attribute names.
Result<std::string> ParseName(Cursor& cursor);

void AppendName(std::string& out, std::string_view name);
void AppendTensor(std::string& out, const Tensor& tensor);
void AppendAttr(std::string& out, const Attr& attr);
// All elements have the same bits (and there is one at least).
bool IsSplat(const Tensor& tensor);

}  // namespace ge::text
