// Every x86-64 machine has SSE2.
#include "narrowphase/simd_sse2.h"
// The lane types come first.
#include "narrowphase/kernel_descent.h"

namespace s4r {
extern const TreeKernels kTreeKernelsSse2;
const TreeKernels kTreeKernelsSse2 = kernels_on<F4, D2>("sse2");
}  // namespace s4r
