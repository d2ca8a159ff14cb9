#pragma once
// Module <-> bytes of a ge.proto.ModelDef (torch_ge_ir.proto). graph[0] is the entry; edges are "producer:index" strings
// in OpDef.input, "" an absent optional input, "producer:-1" a control edge.
//
// What AscendIR has no field for is kept in attributes whose names start with "_tg_":
//   OpDef.attr["_tg_loc"].s                  the Python source line
//   OpDef.attr["_tg_text:NAME"].s            attribute NAME in text form (PrintAttr): nested or mixed lists, none, complex,
//                                            doubles that a float cannot hold, $i, @graph (also listed in subgraph_name),
//                                            and every attribute whose own name starts with "_tg_"
//   output_desc.attr["_tg_type"].s           the whole type in text form, where it is no plain tensor: sym, opaque, storage
//                                            layouts, host placement, dtypes that the schema lacks
// A dim that is not a number is -1; its expression stands in origin_symbol_shape of the tensor attribute group.
#include <memory>
#include <string>
#include <string_view>

#include "ge_core/ir/graph.h"

namespace ge {

// The same module gives the same bytes. Fails if a name is not UTF-8 or the result exceeds protobuf's 2 GiB.
GE_API Result<std::string> Serialize(const Module& module);
// Any bytes are safe to read; the module is verified before it is returned.
GE_API Result<std::unique_ptr<Module>> Deserialize(std::string_view bytes, const OpTable& ops);

}  // namespace ge
