#pragma once
// What the kernel benchmarks run: one node each, as text.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ge::bench {

struct KernelCase {
  std::string name;
  std::string op, attrs;
  std::vector<std::string> inputs;  // types; input 0 is the activation, the others are weights
  std::string output;               // its type
  double flop = 0;

  // The graph of this node. `packed` holds the types in which inputs are wanted: a TransData stands before each of them.
  std::string Text(const std::map<int, std::string>& packed = {}) const;
};

// "f32[1,64,56,56]"; with strides "f32[1,64,56,56]{200704,1,3584,64}".
std::string TypeText(const std::vector<int64_t>& shape, const std::vector<int64_t>& strides = {});

// All convolutions of ResNet-50 and MobileNetV2 at 224 x 224, once each, with activations in rows and channels last.
std::vector<KernelCase> Convolutions();
// Matrix products of BERT (128 tokens), GPT-2 (64) and a small ViT (197), and those of single tokens (GEMV).
std::vector<KernelCase> MatMuls();

}  // namespace ge::bench
