#pragma once
// GE_SIMD_CLONES: a function in plain C++ that the compiler turns into vector code for several CPUs at once; the right one is
// chosen when the library is loaded.

// AVX-512, AVX2 and what every x86-64 has, chosen by what the CPU can do: an architecture by a maker's name ("skylake-avx512")
// would be that CPU's alone. Reductions in such functions are written with `#pragma omp simd`, which allows the compiler to keep
// partial sums; nothing else of IEEE arithmetic is given up.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define GE_SIMD_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define GE_SIMD_CLONES  // the sanitizer's runtime is not ready when the loader resolves clones
#endif
