#include "narrowphase/tree_kernels.h"

#include <cstring>

namespace s4r {

extern const TreeKernels kTreeKernelsGeneric;
#ifdef S4R_AVX2
extern const TreeKernels kTreeKernelsAvx2;
#endif

const TreeKernels* tree_kernels_named(const char* name) {
#ifdef S4R_AVX2
  if (std::strcmp(name, "avx2") == 0) return __builtin_cpu_supports("avx2") ? &kTreeKernelsAvx2 : nullptr;
#endif
  return std::strcmp(name, "generic") == 0 ? &kTreeKernelsGeneric : nullptr;
}

const TreeKernels& tree_kernels() {
  static const TreeKernels* const chosen =
      tree_kernels_named("avx2") != nullptr ? tree_kernels_named("avx2") : &kTreeKernelsGeneric;
  return *chosen;
}

}  // namespace s4r
