#pragma once
// GE_CHECK: for programmer errors only. Prints file, line and message, then aborts; bad user input gets a Status.
#include "ge_core/base/api.h"

namespace ge {
[[noreturn]] GE_API void CheckFailed(const char* file, int line, const char* condition, const char* message) noexcept;
}  // namespace ge

#define GE_CHECK(condition, message) (static_cast<bool>(condition) ? void(0) : ::ge::CheckFailed(__FILE__, __LINE__, #condition, message))
