#include "host_kernels/onednn/packed.h"

#include <algorithm>
#include <charconv>

namespace ge::onednn {
namespace {

// Reads the fields of a descriptor from the left; one failure makes every later step fail.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  bool Eat(std::string_view token) {
    if (!ok_ || !rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void Expect(std::string_view token) { ok_ = Eat(token); }
  int64_t Number() {
    int64_t v = 0;
    const auto [end, ec] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), v);
    ok_ = ok_ && ec == std::errc() && v >= 0 && v <= kLimit;
    if (ok_) rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    return ok_ ? v : 0;
  }
  Dims Numbers() {
    Dims v{Number()};
    while (ok_ && v.size() <= DNNL_MAX_NDIMS && Eat(",")) v.push_back(Number());
    return v;
  }
  bool done() const { return ok_ && rest_.empty(); }
  bool ok() const { return ok_; }

 private:
  static constexpr int64_t kLimit = int64_t{1} << 40;  // keeps every product below in range
  std::string_view rest_;
  bool ok_ = true;
};

}  // namespace

Dims ViewDims(const ValueType& weight, const WeightView& view) {
  const Dims dims = StaticDims(weight);
  if (view.gates) return dims.size() == 2 && dims[0] % 4 == 0 ? Dims{1, 1, dims[1], 4, dims[0] / 4} : Dims{};
  if (view.winograd) return dims.size() == 4 && dims[2] == 3 && dims[3] == 3 ? Dims{16, dims[1], dims[0]} : Dims{};
  if (view.chunks > 0) {
    if (dims.size() < 2 || dims[1] % view.chunks != 0) return {};
    Dims split{view.chunks, dims[0], dims[1] / view.chunks};
    split.insert(split.end(), dims.begin() + 2, dims.end());
    return split;
  }
  if (view.groups == 0) return dims;
  if (dims.empty() || dims[0] % view.groups != 0) return {};
  Dims split{view.groups, dims[0] / view.groups};
  split.insert(split.end(), dims.begin() + 1, dims.end());
  return split;
}

Desc ViewDesc(const ValueType& weight, const WeightView& view) {
  const Dims dims = ViewDims(weight, view);
  Dims strides = StaticStrides(weight);
  GE_CHECK(!view.winograd, "a filter is transformed, not seen, as Winograd's");
  if (view.gates) {
    const int64_t all = dims[2] * dims[3] * dims[4];
    strides = {all, all, strides[1], strides[0] * dims[4], strides[0]};
  } else if (view.chunks > 0) {
    strides.insert(strides.begin(), strides[1] * dims[2]);
  } else if (view.groups > 0) {
    strides.insert(strides.begin(), strides[0] * dims[1]);
  }
  return PlainDesc(dims, strides, weight.dtype());
}

WinogradParts PartsOf(const Desc& transformed) {
  const auto whole = [](int64_t bytes) { return (bytes + 63) / 64 * 64; };
  const Dims dims = transformed.dims();
  WinogradParts parts;
  parts.filter = whole(static_cast<int64_t>(transformed.get_size()));
  parts.flag = parts.filter + whole(dims[1] * dims[2] * 9 * 4);
  parts.bytes = parts.flag + 64;
  return parts;
}

Desc Stacked(const Desc& part, int64_t count) {
  dnnl_memory_desc_t d = part.data;
  auto& b = d.format_desc.blocking;
  const auto push = [](auto* list, int n, dnnl_dim_t first) {
    std::copy_backward(list, list + n, list + n + 1);
    list[0] = first;
  };
  push(d.dims, d.ndims, count);
  push(d.padded_dims, d.ndims, count);
  push(d.padded_offsets, d.ndims, 0);
  push(b.strides, d.ndims, static_cast<dnnl_dim_t>(part.get_size() / dnnl::memory::data_type_size(part.data_type())));
  for (int i = 0; i < b.inner_nblks; ++i) ++b.inner_idxs[i];
  ++d.ndims;
  return Desc(d);
}

Desc PartOf(const Desc& stacked) {
  dnnl_memory_desc_t d = stacked.data;
  auto& b = d.format_desc.blocking;
  std::copy(d.dims + 1, d.dims + d.ndims, d.dims);
  std::copy(d.padded_dims + 1, d.padded_dims + d.ndims, d.padded_dims);
  std::copy(b.strides + 1, b.strides + d.ndims, b.strides);
  for (int i = 0; i < b.inner_nblks; ++i) --b.inner_idxs[i];
  --d.ndims;
  return Desc(d);
}

std::optional<std::string> PackedName(const Desc& desc, const WeightView& view) {
  const dnnl_memory_desc_t& d = desc.data;
  if (d.format_kind != dnnl_blocked || (d.data_type != dnnl_f32 && d.data_type != dnnl_bf16) ||
      d.extra.flags != dnnl_memory_extra_flag_none || d.offset0 != 0)
    return std::nullopt;
  const auto& b = d.format_desc.blocking;
  for (int i = 0; i < d.ndims; ++i) {
    if (d.padded_offsets[i] != 0) return std::nullopt;
  }
  if (b.inner_nblks == 0) return std::nullopt;  // plain: an ordinary strided layout says the same
  std::string text = StrCat("onednn:", view.winograd ? PartsOf(desc).bytes : static_cast<int64_t>(desc.get_size()), ":");
  if (view.groups > 0) text += StrCat("g", view.groups, ";");
  if (view.chunks > 0) text += StrCat("c", view.chunks, ";");
  if (view.gates) text += "r;";
  if (view.winograd) text += "w;";
  text += StrCat("s", Join(std::span(b.strides, static_cast<size_t>(d.ndims)), ","), ";p",
                 Join(std::span(d.padded_dims, static_cast<size_t>(d.ndims)), ","), ";b");
  for (int i = 0; i < b.inner_nblks; ++i) text += StrCat(i ? "," : "", b.inner_blks[i], "@", b.inner_idxs[i]);
  return text;
}

Result<PackedDesc> ParsePacked(const ValueType& type) {
  const std::string& text = type.layout.packed;
  const auto bad = [&](std::string_view why) {
    return InvalidArgument(
        StrCat("packed layout \"", text, "\" of a ", ToString(ValueType::Tensor(type.dtype(), type.shape())), ": ", why));
  };
  if (type.layout.kind != StorageLayout::Kind::kPacked) return bad("not a packed layout");
  if (!type.IsTensor() || !type.IsStatic() || !DataType(type.dtype())) return bad("oneDNN packs static f32 and bf16 tensors only");
  PackedDesc packed;
  Reader in(text);
  in.Expect("onednn:");
  packed.bytes = in.Number();
  in.Expect(":");
  if (in.Eat("g")) {
    packed.view.groups = in.Number();
    in.Expect(";");
  } else if (in.Eat("c")) {
    packed.view.chunks = in.Number();
    in.Expect(";");
  } else if (in.Eat("r;")) {
    packed.view.gates = true;
  } else if (in.Eat("w;")) {
    packed.view.winograd = true;
  }
  in.Expect("s");
  const Dims strides = in.Numbers();
  in.Expect(";p");
  const Dims padded = in.Numbers();
  in.Expect(";b");
  Dims blocks, axes;
  do {
    blocks.push_back(in.Number());
    in.Expect("@");
    axes.push_back(in.Number());
  } while (in.ok() && blocks.size() < DNNL_MAX_NDIMS && in.Eat(","));
  if (!in.done()) return bad("malformed; expected onednn:<bytes>:[g<groups>;|c<chunks>;|r;|w;]s<strides>;p<padded dims>;b<block>@<axis>,...");

  const Dims dims = ViewDims(type, packed.view);
  if (dims.empty()) return bad("an axis does not split as stated");
  const size_t rank = dims.size();
  if (rank == 0 || rank > DNNL_MAX_NDIMS || strides.size() != rank || padded.size() != rank)
    return bad("the number of axes does not fit the shape");

  // Every element must lie inside the stated bytes: the outermost index of each axis, in blocks, times its stride.
  Dims block_of(rank, 1);
  int64_t inner = 1;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i] < 1 || blocks[i] > 4096 || axes[i] >= static_cast<int64_t>(rank)) return bad("block size or axis out of range");
    block_of[static_cast<size_t>(axes[i])] *= blocks[i];
    inner *= blocks[i];
    if (inner > int64_t{1} << 24) return bad("blocks too large");
  }
  __int128 last = inner - 1;
  for (size_t i = 0; i < rank; ++i) {
    if (dims[i] < 1 || padded[i] < dims[i] || padded[i] % block_of[i] != 0)
      return bad("padded dims do not cover the shape in whole blocks");
    last += static_cast<__int128>(padded[i] / block_of[i] - 1) * strides[i];
  }
  if ((last + 1) * static_cast<int64_t>(SizeOf(type.dtype())) > packed.bytes) return bad("the stated size is too small");

  dnnl_memory_desc_t d{};
  d.ndims = static_cast<int>(rank);
  d.data_type = static_cast<dnnl_data_type_t>(*DataType(type.dtype()));
  d.format_kind = dnnl_blocked;
  auto& b = d.format_desc.blocking;
  b.inner_nblks = static_cast<int>(blocks.size());
  for (size_t i = 0; i < rank; ++i) {
    d.dims[i] = dims[i];
    d.padded_dims[i] = padded[i];
    b.strides[i] = strides[i];
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    b.inner_blks[i] = blocks[i];
    b.inner_idxs[i] = axes[i];
  }
  packed.desc = Desc(d);
  if (packed.view.winograd && type.dtype() != DType::kF32) return bad("Winograd's transform is for f32");
  const int64_t bytes = packed.view.winograd ? PartsOf(packed.desc).bytes : static_cast<int64_t>(packed.desc.get_size());
  if (bytes != packed.bytes) return bad(StrCat("the stated size should be ", bytes, " bytes"));
  return packed;
}

}  // namespace ge::onednn
