#include "ge_core/passes/change_log.h"

#include "ge_core/base/str.h"

namespace ge {

std::string ChangeLog::Key(std::string_view graph, std::string_view node) { return StrCat(graph, "/", node); }

const std::string* ChangeLog::MadeBy(const Node& node) const {
  auto it = made_by.find(Key(node.graph().name(), node.name()));
  return it == made_by.end() ? nullptr : &it->second;
}

ChangeRecorder::ChangeRecorder(Module& module, ChangeLog& log) : module_(module), log_(log) { module.AddObserver(this); }
ChangeRecorder::~ChangeRecorder() { module_.RemoveObserver(this); }

void ChangeRecorder::OnCreate(Node& node) { log_.made_by.insert_or_assign(ChangeLog::Key(node.graph().name(), node.name()), pass_); }

void ChangeRecorder::OnReplace(Value& from, Value& to) {
  replaced_.insert_or_assign(from.producer(), StrCat("replaced by '", to.producer()->name(), "'"));
}

void ChangeRecorder::OnErase(Node& node) {
  auto it = replaced_.find(&node);
  std::string fate = StrCat(it == replaced_.end() ? "removed" : it->second, " (", pass_, ")");
  if (it != replaced_.end()) replaced_.erase(it);
  std::string key = ChangeLog::Key(node.graph().name(), node.name());
  // A node that a pass made and a pass removed again is nobody's.
  if (log_.made_by.erase(key) == 0) log_.gone.insert_or_assign(std::move(key), std::move(fate));
}

}  // namespace ge
