// Any text: ParseModule gives an error or a module; a module prints, the print parses, and both are equal.
#include <algorithm>

#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"
#include "host_kernels/ops.h"
#include "tests/fuzz/mutate.h"

namespace {

bool Check(const std::string& input) {
  using namespace ge;
  const ParseOptions options{.max_constant_bytes = 1 << 24};
  Result<std::unique_ptr<Module>> module = ParseModule(input, HostOps(), options);
  if (!module.ok()) return false;
  if (!Verify(**module).ok()) return false;  // for example a missing subgraph: reported, not crashed
  const std::string text = Print(**module, PrintOptions::Full());
  Result<std::unique_ptr<Module>> again = ParseModule(text, HostOps(), options);
  if (!again.ok() || !Equal(**module, **again) || Print(**again, PrintOptions::Full()) != text) {
    std::cerr << "printing and parsing again is no identity: " << (again.ok() ? "modules differ" : again.message()) << '\n' << text << '\n';
    std::abort();
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  return ge::fuzz::Main(argc, argv, "text-fuzz", ge::fuzz::Corpus(),
                        {"graph @g(",
                         "%0",
                         "%a0",
                         "!0",
                         "none",
                         "after(%0)",
                         "return",
                         "Const ",
                         "[",
                         "]",
                         "{",
                         "}",
                         "(",
                         ")",
                         ",",
                         ": f32[2]",
                         ": sym.i64[s0]",
                         "opaque",
                         "f32[",
                         "bf16[s0,?]",
                         "//2",
                         "%3",
                         "max(1,s0)",
                         "**2",
                         "-1",
                         "9223372036854775807",
                         "-9223372036854775808",
                         "99999999999999999999",
                         "1e308",
                         "nan(0x7fc00001)",
                         "-0.0",
                         "inf",
                         "complex(1,nan)",
                         "tensor<f32[2]>[1, 2]",
                         "dtype(f16)",
                         "$0",
                         "$9",
                         "@g",
                         "\"\\x41\"",
                         "dense<sha256:",
                         "loc(\"a:1\")",
                         "{packed \"x\"}",
                         "{free}",
                         "@host",
                         ":NCHW",
                         "// c\n"},
                        Check);
}
