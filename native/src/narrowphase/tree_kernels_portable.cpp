#include "narrowphase/simd_portable.h"
// The lane types come first.
#include "narrowphase/kernel_descent.h"

namespace s4r {
extern const TreeKernels kTreeKernelsPortable;
const TreeKernels kTreeKernelsPortable = kernels_on<F4, D2>("portable");
}  // namespace s4r
