#pragma once
// SHA-256 (FIPS 180-4). Names elided constants in the text form and sections in files; not used for security.
#include <cstddef>
#include <span>
#include <string>

#include "ge_core/base/api.h"

namespace ge {

// Lower-case hexadecimal, 64 characters.
GE_API std::string Sha256Hex(std::span<const std::byte> data);

}  // namespace ge
