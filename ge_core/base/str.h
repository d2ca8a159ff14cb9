#pragma once
// StrCat and Join: message building for headers and for targets that may not include fmt (see status.h).
#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace ge {

inline void StrAppend(std::string& out, std::string_view s) { out += s; }
inline void StrAppend(std::string& out, const char* s) { out += s; }
inline void StrAppend(std::string& out, const std::string& s) { out += s; }
inline void StrAppend(std::string& out, char c) { out += c; }
inline void StrAppend(std::string& out, bool b) { out += b ? "true" : "false"; }
template <typename T>
  requires(std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char>)
void StrAppend(std::string& out, T v) {
  out += std::to_string(v);
}
template <std::floating_point T>
void StrAppend(std::string& out, T v) {  // shortest form that reads back to the same value
  char buf[64];
  out.append(buf, std::to_chars(buf, buf + sizeof buf, v).ptr);
}

template <typename... A>
std::string StrCat(const A&... a) {
  std::string out;
  (StrAppend(out, a), ...);
  return out;
}

template <typename Range>
std::string Join(const Range& range, std::string_view separator) {
  std::string out;
  bool first = true;
  for (const auto& item : range) {
    if (!first) out += separator;
    first = false;
    StrAppend(out, item);
  }
  return out;
}

}  // namespace ge
