#include "narrowphase/tree_kernels.h"

#include <cstring>

namespace s4r {

extern const TreeKernels kTreeKernelsPortable;
#ifdef S4R_X86_KERNELS
extern const TreeKernels kTreeKernelsSse2;
extern const TreeKernels kTreeKernelsAvx2;
#endif

const TreeKernels* tree_kernels_named(const char* name) {
#ifdef S4R_X86_KERNELS
  if (std::strcmp(name, "avx2") == 0) return __builtin_cpu_supports("avx2") ? &kTreeKernelsAvx2 : nullptr;
  if (std::strcmp(name, "sse2") == 0) return &kTreeKernelsSse2;
#endif
  return std::strcmp(name, "portable") == 0 ? &kTreeKernelsPortable : nullptr;
}

const TreeKernels& tree_kernels() {
  static const TreeKernels* const chosen = [] {
    const TreeKernels* kernels = tree_kernels_named("avx2");
    if (kernels == nullptr) kernels = tree_kernels_named("sse2");
    return kernels != nullptr ? kernels : &kTreeKernelsPortable;
  }();
  return *chosen;
}

}  // namespace s4r
