// A library that is no host CPU library.
extern "C" __attribute__((visibility("default"))) int ge_something_else() { return 1; }
