// Compiled for AVX2; reached only on machines that have it.
#include "narrowphase/simd_avx2.h"
#include "narrowphase/tree_kernels_impl.h"

namespace s4r {
extern const TreeKernels kTreeKernelsAvx2;
const TreeKernels kTreeKernelsAvx2{"avx2", lower_bounds, leaf_pairs, triangle_pairs};
}  // namespace s4r
