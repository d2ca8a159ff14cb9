#include "host_kernels/jit/compiler.h"

#include <atomic>
#include <cstdlib>
#include <mutex>

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>

#include "host_kernels/jit/emitter.h"
#include "host_kernels/jit/ops.h"

namespace ge::jit {
namespace {

// Kernels that nobody holds are kept up to this number: a model that is compiled again finds them.
constexpr size_t kMaxCached = 1024;

Status FromLlvm(std::string_view what, llvm::Error error) {
  return Internal(StrCat("JIT engine: ", what, ": ", llvm::toString(std::move(error))));
}

// Writes the row function of a region: a loop of whole vectors, then one masked step.
class FunctionWriter {
 public:
  FunctionWriter(llvm::Module& module, const Region& region, unsigned width, bool avx512)
      : region_(region), b_(module.getContext()), e_(b_, width, avx512), width_(width), module_(module) {}

  void Write(llvm::StringRef name) {
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy(), b_.getInt64Ty()}, false);
    auto* f = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module_);
    f->addFnAttr("prefer-vector-width", std::to_string(width_ * 32));
    f->addFnAttr(llvm::Attribute::NoUnwind);
    auto* entry = llvm::BasicBlock::Create(b_.getContext(), "entry", f);
    auto* loop = llvm::BasicBlock::Create(b_.getContext(), "loop", f);
    auto* rest = llvm::BasicBlock::Create(b_.getContext(), "rest", f);
    auto* tail = llvm::BasicBlock::Create(b_.getContext(), "tail", f);
    auto* done = llvm::BasicBlock::Create(b_.getContext(), "done", f);

    b_.SetInsertPoint(entry);
    V n = f->getArg(1);
    const size_t operands = region_.inputs.size() + region_.outputs.size();
    for (size_t i = 0; i < operands; ++i)
      pointers_.push_back(b_.CreateLoad(b_.getPtrTy(), b_.CreateConstGEP1_64(b_.getPtrTy(), f->getArg(0), i)));
    for (size_t i = 0; i < region_.inputs.size(); ++i)
      constants_.push_back(region_.IsRowConstant(static_cast<int>(i)) ? LoadConstant(i) : nullptr);
    V whole = b_.CreateAnd(n, b_.getInt64(~static_cast<uint64_t>(width_ - 1)));
    b_.CreateCondBr(b_.CreateICmpSGT(whole, b_.getInt64(0)), loop, rest);

    b_.SetInsertPoint(loop);
    auto* i = b_.CreatePHI(b_.getInt64Ty(), 2);
    i->addIncoming(b_.getInt64(0), entry);
    Body(i, nullptr);
    V next = b_.CreateAdd(i, b_.getInt64(width_));
    i->addIncoming(next, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpSLT(next, whole), loop, rest);

    b_.SetInsertPoint(rest);
    b_.CreateCondBr(b_.CreateICmpSLT(whole, n), tail, done);

    b_.SetInsertPoint(tail);
    V left = b_.CreateVectorSplat(width_, b_.CreateTrunc(b_.CreateSub(n, whole), b_.getInt32Ty()));
    std::vector<llvm::Constant*> lanes;
    for (unsigned k = 0; k < width_; ++k) lanes.push_back(b_.getInt32(k));
    Body(whole, b_.CreateICmpULT(llvm::ConstantVector::get(lanes), left));
    b_.CreateBr(done);

    b_.SetInsertPoint(done);
    b_.CreateRetVoid();
  }

 private:
  llvm::Type* Memory(ElementType t) { return t == ElementType::kBool ? b_.getInt8Ty() : b_.getFloatTy(); }
  llvm::Align AlignOf(ElementType t) { return llvm::Align(t == ElementType::kBool ? 1 : 4); }
  V ToRegister(ElementType t, V v) { return t == ElementType::kBool ? b_.CreateICmpNE(v, llvm::Constant::getNullValue(v->getType())) : v; }

  V LoadConstant(size_t i) {
    const ElementType t = region_.inputs[i].type;
    return ToRegister(t, b_.CreateVectorSplat(width_, b_.CreateAlignedLoad(Memory(t), pointers_[i], AlignOf(t))));
  }

  // One step at element `i`; `mask` null: all lanes.
  void Body(V i, V mask) {
    std::vector<V> values;
    for (size_t k = 0; k < region_.inputs.size(); ++k) {
      if (constants_[k]) {
        values.push_back(constants_[k]);
        continue;
      }
      const ElementType t = region_.inputs[k].type;
      auto* type = llvm::FixedVectorType::get(Memory(t), width_);
      V address = b_.CreateGEP(Memory(t), pointers_[k], i);
      values.push_back(ToRegister(t, mask ? V(b_.CreateMaskedLoad(type, address, AlignOf(t), mask, llvm::Constant::getNullValue(type)))
                                          : V(b_.CreateAlignedLoad(type, address, AlignOf(t)))));
    }
    for (const Instruction& instruction : region_.instructions) {
      std::vector<V> in;
      for (int v : instruction.operands) in.push_back(values[static_cast<size_t>(v)]);
      values.push_back(instruction.op->emit({e_, in, instruction}));
    }
    for (size_t k = 0; k < region_.outputs.size(); ++k) {
      const ElementType t = region_.TypeOf(region_.outputs[k]);
      V v = values[static_cast<size_t>(region_.outputs[k])];
      if (t == ElementType::kBool) v = b_.CreateZExt(v, llvm::FixedVectorType::get(b_.getInt8Ty(), width_));
      V address = b_.CreateGEP(Memory(t), pointers_[region_.inputs.size() + k], i);
      if (mask)
        b_.CreateMaskedStore(v, address, AlignOf(t), mask);
      else
        b_.CreateAlignedStore(v, address, AlignOf(t));
    }
  }

  const Region& region_;
  llvm::IRBuilder<> b_;
  Emitter e_;
  unsigned width_;
  llvm::Module& module_;
  std::vector<V> pointers_, constants_;
};

// Explicit vectors leave little to optimise: common subexpressions (ranges shared by Exp and Tanh, say) and peepholes.
void Optimize(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(sccs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, sccs, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  for (llvm::Function& f : module) {
    if (!f.isDeclaration()) passes.run(f, functions);
  }
}

class OrcRegion : public CompiledRegion {
 public:
  explicit OrcRegion(llvm::orc::ResourceTrackerSP tracker) : tracker_(std::move(tracker)) {}
  ~OrcRegion() override { llvm::consumeError(tracker_->remove()); }

 private:
  llvm::orc::ResourceTrackerSP tracker_;
};

class OrcCompiler : public Compiler {
 public:
  static Result<std::unique_ptr<OrcCompiler>> Create() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
    if (!machine) return FromLlvm("detecting the host CPU", machine.takeError());
    machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::Default);
    auto self = std::make_unique<OrcCompiler>();
    const llvm::Triple& triple = machine->getTargetTriple();
    if (triple.isX86()) {
      const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
      if (!features.lookup("avx2") || !features.lookup("fma")) return FailedPrecondition("JIT engine: this CPU has no AVX2 and FMA");
      // GE_JIT_ISA=avx2 forces the narrower code, so that tests reach it on every machine.
      const char* isa = std::getenv("GE_JIT_ISA");
      self->avx512_ = features.lookup("avx512f") && features.lookup("avx512vl") && features.lookup("avx512bw") &&
                      !(isa && std::string_view(isa) == "avx2");
      self->width_ = self->avx512_ ? 16 : 8;
    }
    auto target = machine->createTargetMachine();
    if (!target) return FromLlvm("creating a target machine", target.takeError());
    self->machine_ = std::move(*target);
    auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*machine)).create();
    if (!jit) return FromLlvm("starting ORC", jit.takeError());
    self->jit_ = std::move(*jit);
    return self;
  }

  Result<std::shared_ptr<const CompiledRegion>> Compile(const Region& region) override {
    const std::string key = region.Key();
    // Held while compiling: two threads that want one structure compile it once; LLVM objects here are not shared.
    const std::lock_guard lock(mutex_);
    if (auto it = cache_.find(key); it != cache_.end()) return it->second;
    if (cache_.size() >= kMaxCached) std::erase_if(cache_, [](const auto& entry) { return entry.second.use_count() == 1; });
    GE_ASSIGN_OR_RETURN(std::shared_ptr<const CompiledRegion> compiled, CompileNew(region));
    cache_.emplace(key, compiled);
    return compiled;
  }

  int64_t num_compiled() const override { return num_compiled_.load(); }

 private:
  Result<std::shared_ptr<const CompiledRegion>> CompileNew(const Region& region) {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("ge_region", *context);
    module->setDataLayout(jit_->getDataLayout());
    module->setTargetTriple(jit_->getTargetTriple().str());
    const std::string name = StrCat("ge_region_", num_compiled_.fetch_add(1));
    FunctionWriter(*module, region, width_, avx512_).Write(name);
    std::string problem;
    llvm::raw_string_ostream stream(problem);
    if (llvm::verifyModule(*module, &stream)) return Internal("JIT engine: invalid IR: " + problem);
    Optimize(*module, *machine_);
    auto tracker = jit_->getMainJITDylib().createResourceTracker();
    auto compiled = std::make_shared<OrcRegion>(tracker);
    if (auto error = jit_->addIRModule(tracker, llvm::orc::ThreadSafeModule(std::move(module), std::move(context)))) {
      return FromLlvm("adding a module", std::move(error));
    }
    auto symbol = jit_->lookup(name);
    if (!symbol) return FromLlvm("compiling a region", symbol.takeError());
    compiled->run = symbol->toPtr<RowFunction>();
    return std::shared_ptr<const CompiledRegion>(std::move(compiled));
  }

  unsigned width_ = 4;
  bool avx512_ = false;
  std::unique_ptr<llvm::TargetMachine> machine_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const CompiledRegion>> cache_;  // looked up and pruned, order immaterial
  std::atomic<int64_t> num_compiled_{0};
};

}  // namespace

Result<Compiler*> Compiler::Get() {
  static auto* created = new Result<std::unique_ptr<OrcCompiler>>(OrcCompiler::Create());  // for the process
  if (!created->ok()) return Status(created->code(), created->message());
  return static_cast<Compiler*>((**created).get());
}

}  // namespace ge::jit
