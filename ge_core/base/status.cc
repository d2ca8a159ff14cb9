#include "ge_core/base/status.h"

#include <cstdio>
#include <cstdlib>

namespace ge {

const std::string& Status::message() const {
  static const std::string empty;
  return rep_ ? rep_->message : empty;
}

Status Status::Annotate(const std::string& context) && {
  if (rep_) rep_->message += "\n  " + context;
  return std::move(*this);
}

void CheckFailed(const char* file, int line, const char* condition, const char* message) noexcept {
  std::fprintf(stderr, "%s:%d: check failed: %s: %s\n", file, line, condition, message);
  std::abort();
}

}  // namespace ge
