#pragma once
// The ABI tag of a plug-in: plain data, read before any of its code is called.
#include <cstdint>

#include "ge_core/ir/engine.h"

namespace ge {

// Goes up with every change of the protocol or of a class that plug-ins derive from.
inline constexpr uint32_t kEnginePluginAbiVersion = 1;

struct PluginAbi {
  uint32_t version;   // kEnginePluginAbiVersion
  uint32_t layout;    // PluginLayout(): sizes of the objects that cross the boundary
  uint32_t compiler;  // major version of the compiler's C++ ABI: __GXX_ABI_VERSION
  uint32_t strings;   // _GLIBCXX_USE_CXX11_ABI: which std::string
  friend bool operator==(const PluginAbi&, const PluginAbi&) = default;
};

// A number that changes when one of the types that plug-ins see changes its size.
constexpr uint32_t PluginLayout() {
  uint32_t hash = 2166136261u;  // FNV-1a over the sizes
  for (size_t size : {sizeof(Slot), sizeof(KernelContext), sizeof(Node), sizeof(Value), sizeof(ValueType), sizeof(OpDef), sizeof(Attr),
                      sizeof(Status), sizeof(Graph), sizeof(Module)})
    hash = (hash ^ static_cast<uint32_t>(size)) * 16777619u;
  return hash;
}

#ifndef _GLIBCXX_USE_CXX11_ABI
#define _GLIBCXX_USE_CXX11_ABI 0
#endif

constexpr PluginAbi ThisPluginAbi() {
  return {kEnginePluginAbiVersion, PluginLayout(), static_cast<uint32_t>(__GXX_ABI_VERSION), static_cast<uint32_t>(_GLIBCXX_USE_CXX11_ABI)};
}

// "version 1, layout 9f3c01aa, compiler ABI 1017, std::string ABI 1".
GE_API std::string ToString(const PluginAbi& abi);

inline constexpr const char* kPluginAbiSymbol = "ge_engine_plugin_abi";

}  // namespace ge

// Once in each plug-in library, at namespace scope.
#define GE_ENGINE_PLUGIN_ABI()                             \
  extern "C" GE_API const ::ge::PluginAbi ge_engine_plugin_abi; \
  constinit const ::ge::PluginAbi ge_engine_plugin_abi = ::ge::ThisPluginAbi()
