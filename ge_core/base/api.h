#pragma once
// GE_API marks what libge_core.so and libnpu_runtime.so export; everything else has hidden visibility.
#define GE_API __attribute__((visibility("default")))
