// ge-opt: reads a module, verifies it, runs named passes, prints it. docs/text_ir.md.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <sstream>

#include "ge_core/base/str.h"
#include "ge_core/ir/proto.h"
#include "ge_core/ir/text.h"
#include "ge_core/ir/verifier.h"
#include "ge_core/passes/bisect.h"
#include "ge_core/passes/pipeline.h"
#include "host_kernels/ops.h"

namespace ge {
namespace {

constexpr std::string_view kUsage =
    "usage: ge-opt FILE|- [--passes=a,b | --pipeline] [--option=key=value]... [--stats] [--print-full] [--verify-only]\n"
    "              [--bisect]\n"
    "              [--to-proto OUT] [--from-proto] [--list-passes] [--list-options] [--list-ops]\n"
    "  --passes=a,b    run these passes once each, in this order; --list-passes names them; 'name?mark' marks only\n"
    "  --pipeline      run all stages, as a compile does\n"
    "  --option=k=v    an option of graph scope for --pipeline, such as ge.oo.level=O1; --list-options names them\n"
    "  --stats         what each stage and pass did, with its time, on standard error; verification is then left out\n"
    "  --print-full    print constants of any size in full\n"
    "  --bisect        run the passes (--pipeline is the default) on seeded inputs and name the first change that alters\n"
    "                  values; status 2 if there is one\n"
    "  --verify-only   print nothing but errors\n"
    "  --to-proto OUT  also write the result as ge.proto.ModelDef\n"
    "  --from-proto    FILE is a ge.proto.ModelDef\n";

struct Args {
  std::string file, to_proto;
  std::vector<std::string> passes;
  OptionMap options;
  bool pipeline = false, stats = false, print_full = false, verify_only = false, from_proto = false;
  bool bisect = false, list_passes = false, list_options = false, list_ops = false, help = false;
};

Result<Args> ParseArgs(int argc, char** argv) {
  Args args;
  for (int i = 1; i < argc; ++i) {
    const std::string_view a = argv[i];
    if (a.starts_with("--passes=")) {
      std::istringstream list{std::string(a.substr(9))};
      for (std::string name; std::getline(list, name, ',');)
        if (!name.empty()) args.passes.push_back(name);
    } else if (a == "--pipeline") {
      args.pipeline = true;
    } else if (a.starts_with("--option=")) {
      const std::string_view item = a.substr(9);
      const size_t equals = item.find('=');
      if (equals == std::string_view::npos) return InvalidArgument(StrCat("'", a, "': expected --option=key=value"));
      args.options[std::string(item.substr(0, equals))] = std::string(item.substr(equals + 1));
    } else if (a == "--stats") {
      args.stats = true;
    } else if (a == "--list-options") {
      args.list_options = true;
    } else if (a.starts_with("--to-proto=")) {
      args.to_proto = a.substr(11);
    } else if (a == "--to-proto") {
      if (++i == argc) return InvalidArgument("--to-proto needs a file name");
      args.to_proto = argv[i];
    } else if (a == "--print-full") {
      args.print_full = true;
    } else if (a == "--bisect") {
      args.bisect = true;
    } else if (a == "--verify-only") {
      args.verify_only = true;
    } else if (a == "--from-proto") {
      args.from_proto = true;
    } else if (a == "--list-passes") {
      args.list_passes = true;
    } else if (a == "--list-ops") {
      args.list_ops = true;
    } else if (a == "--help" || a == "-h") {
      args.help = true;
    } else if (a.starts_with('-') && a != "-") {
      return InvalidArgument(StrCat("unknown option '", a, "'\n", kUsage));
    } else if (!args.file.empty()) {
      return InvalidArgument(StrCat("two files given, '", args.file, "' and '", a, "'"));
    } else {
      args.file = a;
    }
  }
  if (args.pipeline && !args.passes.empty()) return InvalidArgument("--pipeline and --passes exclude each other");
  if (args.bisect && args.passes.empty()) args.pipeline = true;
  if (!args.pipeline && !args.options.empty()) return InvalidArgument("--option needs --pipeline");
  if (args.file.empty() && !args.list_passes && !args.list_options && !args.list_ops && !args.help)
    return InvalidArgument(StrCat("no file given\n", kUsage));
  return args;
}

Result<std::string> ReadAll(const std::string& file) {
  std::ostringstream out;
  if (file == "-") {
    out << std::cin.rdbuf();
    return out.str();
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) return NotFound(StrCat("cannot read '", file, "'"));
  out << in.rdbuf();
  return out.str();
}

std::string Ports(const auto& ports, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) {
    const Port& p = ports[static_cast<size_t>(i)];
    out += StrCat(i ? ", " : "", p.name, p.variadic ? "..." : p.optional ? "?" : "");
  }
  return out;
}

void ListOps() {
  for (const OpDef* op : HostOps().defs()) {
    std::cout << op->name << '(' << Ports(op->inputs, op->num_inputs) << ") -> (" << Ports(op->outputs, op->num_outputs) << ')';
    for (int i = 0; i < op->num_attrs; ++i)
      std::cout << (i ? ", " : " {") << op->attrs[static_cast<size_t>(i)].name << (op->attrs[static_cast<size_t>(i)].required ? "!" : "");
    std::cout << (op->num_attrs ? "}" : "") << "\n    " << op->doc << '\n';
  }
}

void PrintStats(const PassReport& report) {
  std::fprintf(stderr, "passes: %.6f s\n", report.seconds);
  for (const StageReport& s : report.stages) {
    std::fprintf(stderr, "%s: %zu -> %zu nodes, %d round(s), %.6f s\n", s.stage.c_str(), s.nodes_before, s.nodes_after, s.rounds,
                 s.seconds);
    for (const PassRun& p : s.passes)
      std::fprintf(stderr, "  %d %s: %lld change(s), %+lld node(s), %.6f s\n", p.round, p.pass.c_str(), static_cast<long long>(p.changes),
                   static_cast<long long>(p.node_delta), p.seconds);
    for (const std::string& note : s.notes) std::fprintf(stderr, "  note: %s\n", note.c_str());
  }
  for (const SwitchedOff& off : report.switched_off)
    std::fprintf(stderr, "off: %s in %s: %s\n", off.pass.c_str(), off.stage.c_str(), off.why.c_str());
}

// 0: no change is wrong, 2: one is, and it has been named.
Result<int> RunBisect(const Args& args, const Module& module, const PassRegistry& registry, const HostCpuEngine& evaluator) {
  PassOptions chosen;
  if (args.pipeline) { GE_ASSIGN_OR_RETURN(chosen, PassOptions::Parse(args.options, registry)); }
  PotentialConsts marks;  // of one trial
  const PassContext context{.evaluator = &evaluator, .potential_consts = &marks};
  const ManagerMaker make = [&](PassManagerOptions options) -> Result<PassManager> {
    marks = PotentialConsts();
    options.verify = [](const Module& m) { return Verify(m); };
    if (!args.pipeline) return BuildFromNames(args.passes, registry, context, std::move(options));
    PassOptions bounded = chosen;
    bounded.max_changes = options.max_changes;
    return BuildPipeline(registry, bounded, context, std::move(options), nullptr);
  };
  GE_ASSIGN_OR_RETURN(const Bisection found, Bisect(module, evaluator, make, {.registry = &registry}));
  std::cout << found.ToString() << '\n';
  if (found.first_bad && args.pipeline)
    std::cout << "  the module before that change: ge-opt " << args.file
              << " --pipeline --option=ge.debug.maxChanges=" << found.first_bad - 1 << '\n';
  return found.first_bad ? 2 : 0;
}

Result<int> Run(const Args& args) {
  const PassRegistry registry = PassRegistry::WithBuiltins();
  if (args.help) std::cout << kUsage;
  if (args.list_passes)
    for (const PassDef* p : registry.defs()) std::cout << p->name << "\n    " << p->doc << '\n';
  if (args.list_options)
    for (const OptionDef& o : Options())
      std::cout << o.key << " = " << (o.value.empty() ? "(empty)" : o.value) << "\n    " << o.help << '\n';
  if (args.list_ops) ListOps();
  if (args.file.empty()) return 0;

  GE_ASSIGN_OR_RETURN(const std::string input, ReadAll(args.file));
  Result<std::unique_ptr<Module>> parsed = args.from_proto ? Deserialize(input, HostOps()) : ParseModule(input, HostOps());
  if (!parsed.ok()) return InvalidArgument(StrCat(args.file, ":", args.from_proto ? " " : "", parsed.message()));
  Module& module = **parsed;
  if (Status s = Verify(module); !s.ok()) return InvalidArgument(StrCat(args.file, ": ", s.message()));

  const HostCpuEngine evaluator(&HostKernels());
  if (args.bisect) return RunBisect(args, module, registry, evaluator);
  PassManagerOptions options;
  if (!args.stats) {
    options.verify = [](const Module& m) { return Verify(m); };
    options.check_changed_flag = true;
  }
  PotentialConsts marks;
  for (const auto& graph : module.graphs()) marks.TakeFromAttributes(*graph);
  const PassContext context{.evaluator = &evaluator, .potential_consts = &marks};
  // The parser leaves hundreds of thousands of small free blocks, which the allocator merges and sorts at its next large request:
  // that is no work of the pass that makes it.
  if (args.stats) {
    void* volatile large = std::malloc(size_t{64} << 10);
    std::free(large);
  }
  PassReport report;
  if (args.pipeline) {
    GE_ASSIGN_OR_RETURN(const PassOptions chosen, PassOptions::Parse(args.options, registry));
    GE_ASSIGN_OR_RETURN(PassManager manager, BuildPipeline(registry, chosen, context, std::move(options), &report));
    GE_RETURN_IF_ERROR(manager.Run(module, &report));
  } else if (!args.passes.empty()) {
    GE_ASSIGN_OR_RETURN(PassManager manager, BuildFromNames(args.passes, registry, context, std::move(options)));
    GE_RETURN_IF_ERROR(manager.Run(module, &report));
  }
  if (args.stats) PrintStats(report);
  for (const auto& graph : module.graphs()) marks.WriteAsAttributes(*graph);
  if (!args.to_proto.empty()) {
    GE_ASSIGN_OR_RETURN(const std::string bytes, Serialize(module));
    std::ofstream out(args.to_proto, std::ios::binary);
    if (!out.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush())
      return Internal(StrCat("cannot write '", args.to_proto, "'"));
  }
  if (!args.verify_only) std::cout << Print(module, args.print_full ? PrintOptions::Full() : PrintOptions{});
  return 0;
}

}  // namespace
}  // namespace ge

int main(int argc, char** argv) {
  ge::Result<ge::Args> args = ge::ParseArgs(argc, argv);
  const ge::Result<int> code = args.ok() ? ge::Run(*args) : ge::Result<int>(std::move(args).status());
  if (code.ok()) return *code;
  std::cerr << "ge-opt: " << code.message() << '\n';
  return 1;
}
