// Any bytes: Deserialize gives an error or a verified module, which serialises and comes back equal.
#include <algorithm>

#include "ge_core/ir/proto.h"
#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"
#include "tests/fuzz/mutate.h"

namespace {

bool Check(const std::string& input) {
  using namespace ge;
  Result<std::unique_ptr<Module>> module = Deserialize(input, HostOps());
  if (!module.ok()) return false;
  Result<std::string> bytes = Serialize(**module);
  if (!bytes.ok()) return false;  // an attribute's text held a name that is not UTF-8
  Result<std::unique_ptr<Module>> again = Deserialize(*bytes, HostOps());
  if (!again.ok() || !Equal(**module, **again)) {
    std::cerr << "serialising and reading again is no identity: " << (again.ok() ? "modules differ" : again.message()) << '\n'
              << Print(**module) << '\n';
    std::abort();
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> corpus;
  for (const std::string& text : ge::fuzz::Corpus()) {
    auto module = ge::ParseModule(text, ge::HostOps());
    if (!module.ok()) {
      std::cerr << "proto-fuzz: " << module.message() << '\n';
      return 1;
    }
    auto bytes = ge::Serialize(**module);
    if (bytes.ok()) corpus.push_back(*std::move(bytes));
  }
  return ge::fuzz::Main(argc, argv, "proto-fuzz", corpus,
                        {std::string("\x00", 1), "\xff", "\x80\x01", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "_tg_type", "_tg_text:",
                         "_tg_loc", "x:0", "x:-1", ":", "value", "index", "Data", "Const", "NetOutput", "Add", "f32[2]", "$0", "[[["},
                        Check);
}
