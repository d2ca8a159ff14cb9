#pragma once
// Names of the local engine and of the attributes it writes.
#include <string_view>

namespace ge::local {

inline constexpr std::string_view kEngineName = "DNN_VM_GE_LOCAL";
inline constexpr const char* kOpStoreName = "DNN_VM_GE_LOCAL_OP_STORE";
inline constexpr const char* kOptimizerName = "DNN_VM_GE_LOCAL_OPTIMIZER";

inline constexpr std::string_view kNoTask = "_no_task";
inline constexpr std::string_view kDependCompute = "_depend_compute";
inline constexpr std::string_view kOutputReuseInput = "_output_reuse_input";
inline constexpr std::string_view kReuseInputOnDimIndex = "_reuse_input_on_dim_index";
inline constexpr std::string_view kNoPaddingContinuousInput = "_no_padding_continuous_input";
inline constexpr std::string_view kNoPaddingContinuousOutput = "_no_padding_continuous_output";

}  // namespace ge::local
