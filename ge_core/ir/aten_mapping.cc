#include "ge_core/ir/aten_mapping.h"

#include <cctype>
#include <charconv>
#include <limits>

#include "ge_core/base/str.h"

namespace ge {
namespace {

class RowParser {
 public:
  RowParser(const OpDef& op, std::string_view row) : op_(op), row_(row) {}

  Result<AtenMapping> Parse() {
    AtenMapping m;
    m.op = &op_;
    const size_t open = row_.find('(');
    if (open == std::string_view::npos) return Error("expected '(' after the overload name");
    m.overload = row_.substr(0, open);
    pos_ = open + 1;
    if (!Accept(")")) {
      do {
        GE_ASSIGN_OR_RETURN(AtenItem item, Item());
        m.execute_only |= item.transposed;
        m.items.push_back(std::move(item));
      } while (Accept(","));
      if (!Accept(")")) return Error("expected ',' or ')'");
    }
    if (Accept("->")) {
      do {
        if (Accept("_")) {
          m.results.push_back(-1);
          continue;
        }
        const std::string_view name = Word();
        const int port = op_.FindOutput(name);
        if (port < 0) return Error(StrCat("'", name, "' is no output"));
        m.results.push_back(port);
      } while (Accept(","));
    }
    if (Accept("if ")) {
      do {
        const std::string_view name = Word();
        if (!op_.FindAttr(name)) return Error(StrCat("'", name, "' is no attribute"));
        if (!Accept("=")) return Error("expected '='");
        GE_ASSIGN_OR_RETURN(Attr value, Literal());
        m.conditions.emplace_back(name, std::move(value));
      } while (Accept(","));
    }
    Space();
    if (pos_ != row_.size()) return Error("unexpected text at the end");
    return m;
  }

 private:
  Status Error(const std::string& what) const {
    return Internal(StrCat("ATen row of ", op_.name, " '", row_, "', column ", pos_ + 1, ": ", what));
  }
  void Space() {
    while (pos_ < row_.size() && row_[pos_] == ' ') ++pos_;
  }
  bool Accept(std::string_view token) {
    Space();
    if (row_.substr(pos_, token.size()) != token) return false;
    pos_ += token.size();
    return true;
  }
  std::string_view Word() {
    Space();
    const size_t start = pos_;
    while (pos_ < row_.size() && (std::isalnum(static_cast<unsigned char>(row_[pos_])) || row_[pos_] == '_')) ++pos_;
    return row_.substr(start, pos_ - start);
  }

  Result<AtenItem> Item() {
    AtenItem item;
    if (Accept("@")) {
      item.kind = AtenItem::Kind::kAttr;
      const std::string_view name = Word();
      const AttrDef* def = op_.FindAttr(name);
      if (!def) return Error(StrCat("'", name, "' is no attribute"));
      item.attr = def->name;
      return item;
    }
    if (Accept("#")) {
      const std::string_view name = Word();
      item.port = op_.FindInput(name);
      if (item.port < 0) return Error(StrCat("'", name, "' is no input"));
      item.kind = Accept(".0") ? AtenItem::Kind::kIntPort : AtenItem::Kind::kIntsPort;
      return item;
    }
    Space();
    const size_t start = pos_;
    const std::string_view word = Word();
    if (!word.empty() && !std::isdigit(static_cast<unsigned char>(word[0]))) {
      const int port = op_.FindInput(word);
      if (port >= 0) {
        item.kind = AtenItem::Kind::kPort;
        item.port = port;
        item.transposed = Accept("^T");
        return item;
      }
    }
    pos_ = start;
    item.kind = AtenItem::Kind::kLiteral;
    GE_ASSIGN_OR_RETURN(item.literal, Literal());
    return item;
  }

  Result<Attr> Literal() {
    Space();
    if (Accept("[")) {
      Attr::List list;
      if (Accept("]")) return Attr(std::move(list));
      do {
        GE_ASSIGN_OR_RETURN(Attr a, Literal());
        list.push_back(std::move(a));
      } while (Accept(","));
      if (!Accept("]")) return Error("expected ']'");
      return Attr(std::move(list));
    }
    if (Accept("\"")) {
      const size_t end = row_.find('"', pos_);
      if (end == std::string_view::npos) return Error("unterminated string");
      Attr a(row_.substr(pos_, end - pos_));
      pos_ = end + 1;
      return a;
    }
    const size_t start = pos_;
    const std::string_view word = Word();
    if (word == "none" || word == "None") return Attr();
    if (word == "true" || word == "True") return Attr(true);
    if (word == "false" || word == "False") return Attr(false);
    if (word == "inf") return Attr(std::numeric_limits<double>::infinity());
    if (word == "dtype" && Accept("(")) {
      const std::string_view name = Word();
      auto t = DTypeFromName(name);
      if (!t || !Accept(")")) return Error("bad dtype");
      return Attr(*t);
    }
    pos_ = start;
    if (Accept("-inf")) return Attr(-std::numeric_limits<double>::infinity());
    size_t end = pos_;
    while (end < row_.size() &&
           (std::isalnum(static_cast<unsigned char>(row_[end])) || row_[end] == '.' || row_[end] == '-' || row_[end] == '+'))
      ++end;
    const std::string_view number = row_.substr(pos_, end - pos_);
    const char* last = number.data() + number.size();
    if (number.find_first_of(".e") == std::string_view::npos) {
      int64_t i;
      if (auto r = std::from_chars(number.data(), last, i); r.ec == std::errc() && r.ptr == last) return pos_ = end, Attr(i);
    } else {
      double d;
      if (auto r = std::from_chars(number.data(), last, d); r.ec == std::errc() && r.ptr == last) return pos_ = end, Attr(d);
    }
    return Error("expected an input port, '@attribute', '#port' or a literal");
  }

  const OpDef& op_;
  std::string_view row_;
  size_t pos_ = 0;
};

}  // namespace

Result<AtenMapping> ParseAtenRow(const OpDef& op, AtenRow row) { return RowParser(op, row).Parse(); }

Result<AtenMappings> AtenMappings::Build(const OpTable& ops) {
  AtenMappings all;
  for (const OpDef* op : ops.defs()) {
    for (int i = 0; i < op->num_aten; ++i) {
      GE_ASSIGN_OR_RETURN(AtenMapping m, ParseAtenRow(*op, op->aten[static_cast<size_t>(i)]));
      all.rows_.push_back(std::make_unique<AtenMapping>(std::move(m)));
      const AtenMapping* row = all.rows_.back().get();
      all.by_overload_[row->overload].push_back(row);
      all.by_op_[op->name].push_back(row);
    }
  }
  return all;
}

std::span<const AtenMapping* const> AtenMappings::ForOverload(std::string_view overload) const {
  auto it = by_overload_.find(overload);
  return it == by_overload_.end() ? std::span<const AtenMapping* const>() : it->second;
}
std::span<const AtenMapping* const> AtenMappings::ForOp(std::string_view op) const {
  auto it = by_op_.find(op);
  return it == by_op_.end() ? std::span<const AtenMapping* const>() : it->second;
}

}  // namespace ge
