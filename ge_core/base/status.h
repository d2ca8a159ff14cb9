#pragma once
// Status and Result<T>: how every library of the project reports a recoverable failure.
//
// A message is written once, where the failure arises, and says what, where, expected, found and what to do;
// callers add context with Annotate on the way up. This header includes no fmt on purpose: targets that compile
// against torch's include folder must not see ours (design §8).
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "ge_core/base/api.h"
#include "ge_core/base/check.h"

namespace ge {

enum class Code : unsigned char {
  kOk,
  kInvalidArgument,     // the caller's input is wrong        -> Python ValueError
  kUnimplemented,       // right, but not supported           -> Python NotImplementedError
  kNotFound,            // a name, file or symbol is absent   -> Python RuntimeError
  kFailedPrecondition,  // the object is in the wrong state   -> Python RuntimeError
  kInternal,            // a fault of ours                    -> Python RuntimeError
  kForeign,             // an engine caught an exception; KernelContext::exception holds it
};

class [[nodiscard, gnu::visibility("default")]] Status {
 public:
  Status() noexcept = default;  // OK: no allocation.
  Status(Code code, std::string message) : rep_(std::make_unique<Rep>(Rep{code, std::move(message)})) {}
  bool ok() const noexcept { return rep_ == nullptr; }
  Code code() const noexcept { return rep_ ? rep_->code : Code::kOk; }
  const std::string& message() const;
  // Adds a line of context on the way up: "while running pass 'x'". No effect on OK.
  Status Annotate(const std::string& context) &&;

 private:
  struct Rep {
    Code code;
    std::string message;
  };
  std::unique_ptr<Rep> rep_;
};

inline Status InvalidArgument(std::string m) { return {Code::kInvalidArgument, std::move(m)}; }
inline Status Unimplemented(std::string m) { return {Code::kUnimplemented, std::move(m)}; }
inline Status NotFound(std::string m) { return {Code::kNotFound, std::move(m)}; }
inline Status FailedPrecondition(std::string m) { return {Code::kFailedPrecondition, std::move(m)}; }
inline Status Internal(std::string m) { return {Code::kInternal, std::move(m)}; }

// Either a value or a failed Status; never an OK Status.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : v_(std::in_place_index<0>, std::move(value)) {}
  Result(Status status) : v_(std::in_place_index<1>, std::move(status)) {
    GE_CHECK(!std::get<1>(v_).ok(), "Result built from an OK Status");
  }
  bool ok() const noexcept { return v_.index() == 0; }
  T& operator*() & { return Get(); }
  T&& operator*() && { return std::move(Get()); }
  const T& operator*() const& { return const_cast<Result*>(this)->Get(); }
  T* operator->() { return &Get(); }
  const T* operator->() const { return &const_cast<Result*>(this)->Get(); }
  // Moves the failure out. Call only when !ok().
  Status status() && { return ok() ? Status() : std::move(std::get<1>(v_)); }
  const std::string& message() const { return std::get<1>(v_).message(); }
  Code code() const { return ok() ? Code::kOk : std::get<1>(v_).code(); }

 private:
  T& Get() {
    GE_CHECK(ok(), std::get<1>(v_).message().c_str());
    return std::get<0>(v_);
  }
  std::variant<T, Status> v_;
};

}  // namespace ge

// The only two control-flow macros of the code base.
#define GE_RETURN_IF_ERROR(expr)                                   \
  do {                                                             \
    if (::ge::Status ge_st_ = (expr); !ge_st_.ok()) return ge_st_; \
  } while (false)
#define GE_ASSIGN_OR_RETURN(lhs, expr) GE_ASSIGN_IMPL_(GE_CAT_(ge_r_, __LINE__), lhs, expr)
#define GE_ASSIGN_IMPL_(tmp, lhs, expr)          \
  auto tmp = (expr);                             \
  if (!tmp.ok()) return std::move(tmp).status(); \
  lhs = *std::move(tmp)
#define GE_CAT_(a, b) GE_CAT2_(a, b)
#define GE_CAT2_(a, b) a##b
