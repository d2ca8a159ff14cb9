#include "ge_core/engine/local/op_factory.h"

namespace ge::local {

std::unique_ptr<Op> OpFactory::Create(std::string_view type) {
  for (const auto& rows : {NoOpCreators(), GeDeletedOpCreators()})
    for (const OpCreator& row : rows)
      if (row.type == type) return row.make();
  return nullptr;
}

std::vector<std::string_view> OpFactory::Types() {
  std::vector<std::string_view> out;
  for (const auto& rows : {NoOpCreators(), GeDeletedOpCreators()})
    for (const OpCreator& row : rows) out.push_back(row.type);
  return out;
}

}  // namespace ge::local
