#pragma once
// One tensor element as text, for every dtype. Internal to the text form.
#include "ge_core/ir/dtype.h"
#include "ge_core/ir/text_cursor.h"

namespace ge::text {

// Shortest text that reads back to the same bits: 1, -0.0, 0.1, inf, nan, nan(0x7fc00001), true, complex(1,2).
void AppendElement(std::string& out, DType dtype, const std::byte* element);
// Reads one element into `out` (SizeOf(dtype) bytes). A number that the dtype cannot hold is an error.
Status ParseElement(Cursor& cursor, DType dtype, std::byte* out);

// "nan(0x...)": the bit pattern between the parentheses, at most `bits` wide. The cursor stands after "nan".
Result<uint64_t> ParseNanBits(Cursor& cursor, int bits);
// The characters of a decimal number at the cursor: [-]digits[.digits][e[+-]digits]. Empty if there is none.
std::string_view NumberToken(Cursor& cursor);

}  // namespace ge::text
