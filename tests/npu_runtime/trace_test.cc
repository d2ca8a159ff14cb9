#include "npu_runtime/trace.h"

#include <gtest/gtest.h>

#include <thread>

#include "ge_core/compile/compile.h"
#include "ge_core/ir/text.h"
#include "host_kernels/ops.h"
#include "npu_runtime/host_kernel_engine.h"
#include "npu_runtime/plain_host.h"

namespace ge {
namespace {

// tests/python/test_trace.py reads the JSON with a parser; here is what needs no model.
struct TraceTest : testing::Test {
  void SetUp() override {
    Result<std::unique_ptr<Module>> module = ParseModule(R"(graph @g(%x: f32[4]) {
      %a = Neg(%x) : f32[4]  loc("C:\\a \"b\".py:3")
      %y = Abs(%a) : f32[4]
      return %y
    })", HostOps());
    ASSERT_TRUE(module.ok()) << module.message();
    Result<CompiledModel> compiled = Compile(*std::move(module), EngineList{&kernels});
    ASSERT_TRUE(compiled.ok()) << compiled.message();
    model = std::make_shared<CompiledModel>(*std::move(compiled));
    Result<std::unique_ptr<LoadedModel>> l = LoadedModel::Load(model, device);
    ASSERT_TRUE(l.ok()) << l.message();
    loaded = *std::move(l);
  }
  void Run(TaskHook& hook) {
    std::vector<float> data(4, 1.0f);
    const int64_t sizes[] = {4}, strides[] = {1};
    std::vector<Slot> in(1), out;
    in[0].kind = ValueType::Kind::kTensor;
    in[0].ndim = 1, in[0].sizes = sizes, in[0].strides = strides, in[0].data = data.data();
    std::exception_ptr exception;
    PlainHost host;
    const Status s = loaded->Run(in, out, nullptr, host, 1, &exception, &hook);
    EXPECT_TRUE(s.ok()) << s.message();
  }
  static size_t Count(const std::string& text, std::string_view part) {
    size_t n = 0;
    for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
  }

  HostKernelEngine kernels{HostKernels()};
  HostDevice device;
  std::shared_ptr<CompiledModel> model;
  std::unique_ptr<LoadedModel> loaded;
};

TEST_F(TraceTest, NamesTasksEnginesBytesAndLines) {
  Trace trace;
  Run(trace);
  const std::string json = trace.Json();
  EXPECT_NE(json.find(R"("name": "Neg", "cat": "host_kernels")"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("node": "a", "graph": "g", "engine": "host_kernels", "stream": 0, "bytes_read": 16, "bytes_written": 16)"),
            std::string::npos)
      << json;
  EXPECT_NE(json.find(R"("source": "C:\\a \"b\".py:3")"), std::string::npos) << json;
  EXPECT_EQ(Count(json, R"("ph": "X")"), 2u);
  EXPECT_EQ(Count(json, R"("ph": "M")"), 1u);
}

TEST_F(TraceTest, OutlivesTheModelAndTakesSeveralThreads) {
  Trace trace;
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back([&] { Run(trace); });
  for (std::thread& t : threads) t.join();
  loaded.reset();
  model.reset();
  const std::string json = trace.Json();
  EXPECT_EQ(Count(json, R"("ph": "X")"), 6u);
  EXPECT_EQ(Count(json, R"("ph": "M")"), 3u);
}

TEST_F(TraceTest, TasksBeyondTheLimitAreCounted) {
  Trace trace(3);
  Run(trace);
  Run(trace);
  const std::string json = trace.Json();
  EXPECT_EQ(Count(json, R"("ph": "X")"), 3u);
  EXPECT_NE(json.find(R"("tasks": 3, "tasks_left_out": 1)"), std::string::npos) << json;
}

}  // namespace
}  // namespace ge
