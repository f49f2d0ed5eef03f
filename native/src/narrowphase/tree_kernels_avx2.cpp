// Compiled for AVX2; reached only on machines that have it.
#include "narrowphase/simd_avx2.h"
// The lane types come first.
#include "narrowphase/kernel_descent.h"

namespace s4r {
extern const TreeKernels kTreeKernelsAvx2;
const TreeKernels kTreeKernelsAvx2 = kernels_on<F8, D4>("avx2");
}  // namespace s4r
