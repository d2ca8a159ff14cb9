#pragma once
// Cursor: position in a text being parsed, with the few tokens that the IR's text form needs. Internal to the parser.
#include <cctype>
#include <string>
#include <string_view>

#include "ge_core/base/status.h"
#include "ge_core/base/str.h"

namespace ge::text {

inline bool IsIdentStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
inline bool IsIdentChar(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }
// What prints without quotes after @ and as an attribute name.
inline bool IsIdent(std::string_view s) {
  if (s.empty() || !IsIdentStart(s[0])) return false;
  for (char c : s)
    if (!IsIdentChar(c)) return false;
  return true;
}

class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  size_t pos() const { return pos_; }
  void Seek(size_t pos) { pos_ = pos; }
  std::string_view text() const { return text_; }
  bool AtEnd() {
    Skip();
    return pos_ == text_.size();
  }
  // Blanks and // comments.
  void Skip() {
    while (pos_ < text_.size()) {
      if (std::isspace(static_cast<unsigned char>(text_[pos_])))
        ++pos_;
      else if (text_.substr(pos_, 2) == "//")
        pos_ = std::min(text_.find('\n', pos_), text_.size());
      else
        return;
    }
  }
  // The next character without skipping; 0 at the end.
  char Raw() const { return pos_ < text_.size() ? text_[pos_] : '\0'; }
  bool Peek(char c) {
    Skip();
    return Raw() == c && pos_ < text_.size();
  }
  bool Eat(char c) {
    if (!Peek(c)) return false;
    ++pos_;
    return true;
  }
  Status Expect(char c) { return Eat(c) ? Status() : Fail(StrCat("expected '", c, "'")); }
  // An identifier, or empty.
  std::string_view Ident() {
    Skip();
    const size_t start = pos_;
    if (IsIdentStart(Raw()))
      while (pos_ < text_.size() && IsIdentChar(text_[pos_])) ++pos_;
    return text_.substr(start, pos_ - start);
  }
  // Letters, digits, _ and dots: names of values.
  std::string_view Word() {
    const size_t start = pos_;
    while (pos_ < text_.size() && IsIdentChar(text_[pos_])) ++pos_;
    return text_.substr(start, pos_ - start);
  }
  bool EatWord(std::string_view word) {
    Skip();
    const size_t start = pos_;
    if (Ident() == word) return true;
    pos_ = start;
    return false;
  }
  bool PeekWord(std::string_view word) {
    const size_t start = pos_;
    const bool yes = EatWord(word);
    if (yes) pos_ = start;
    return yes;
  }
  Result<std::string> String();

  Status Fail(std::string_view what) {
    Skip();
    const std::string_view rest = text_.substr(pos_, 16);
    const std::string found(rest.substr(0, rest.find('\n')));
    return FailAt(pos_, StrCat(what, ", found ", pos_ < text_.size() ? StrCat("'", found, "'") : "the end of the text"));
  }
  Status FailAt(size_t pos, std::string_view what) const {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < pos && i < text_.size(); ++i) text_[i] == '\n' ? (++line, column = 1) : ++column;
    return InvalidArgument(StrCat(line, ":", column, ": ", what));
  }

 private:
  std::string_view text_;
  size_t pos_ = 0;
};

// A quoted string with escapes \" \\ \n \t \r \xHH.
inline Result<std::string> Cursor::String() {
  if (!Eat('"')) return Fail("expected a string");
  const size_t start = pos_ - 1;
  std::string out;
  while (pos_ < text_.size() && text_[pos_] != '"') {
    char c = text_[pos_++];
    if (c != '\\') {
      out += c;
      continue;
    }
    const char e = Raw();
    ++pos_;
    if (e == 'n')
      out += '\n';
    else if (e == 't')
      out += '\t';
    else if (e == 'r')
      out += '\r';
    else if (e == '"' || e == '\\')
      out += e;
    else if (e == 'x') {
      int v = 0;
      const std::string_view hex = text_.substr(std::min(pos_, text_.size()), 2);
      const auto r = std::from_chars(hex.data(), hex.data() + hex.size(), v, 16);
      if (hex.size() != 2 || r.ec != std::errc() || r.ptr != hex.data() + 2)
        return FailAt(pos_, "expected two hexadecimal digits after \\x");
      out += static_cast<char>(v);
      pos_ += 2;
    } else {
      return FailAt(std::min(pos_, text_.size()) - 1, "unknown escape in a string; expected one of \\\" \\\\ \\n \\t \\r \\xHH");
    }
  }
  if (pos_ >= text_.size()) return FailAt(start, "the string does not end");
  ++pos_;
  return out;
}

}  // namespace ge::text
