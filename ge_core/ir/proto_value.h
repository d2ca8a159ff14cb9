#pragma once
// Types, tensors and attributes as protobuf messages. Internal to proto.cc; includes protobuf headers.
#include "ge_core/ir/attr.h"
#include "ir/torch_ge_ir.pb.h"  // generated into build/gen

namespace ge::wire {

inline constexpr std::string_view kReserved = "_tg_";
inline constexpr std::string_view kLoc = "_tg_loc";
inline constexpr std::string_view kText = "_tg_text:";
inline constexpr std::string_view kType = "_tg_type";

// `complete`: with everything needed to read the type back; otherwise dtype, shape and format only.
void WriteType(const ValueType& type, bool complete, proto::TensorDescriptor* out);
Result<ValueType> ReadType(const proto::TensorDescriptor& desc);
void WriteTensor(const Tensor& tensor, proto::TensorDef* out);
Result<Tensor> ReadTensor(const proto::TensorDef& def);

using ProtoAttrs = google::protobuf::Map<std::string, proto::AttrDef>;
void WriteAttr(const std::string& name, const Attr& attr, ProtoAttrs* out);
// Every attribute except the reserved ones that are no attribute text.
Result<AttrMap> ReadAttrs(const ProtoAttrs& in);

}  // namespace ge::wire
