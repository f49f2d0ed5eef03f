#include "narrowphase/simd_generic.h"
#include "narrowphase/tree_kernels_impl.h"

namespace s4r {
extern const TreeKernels kTreeKernelsGeneric;
const TreeKernels kTreeKernelsGeneric{"generic", lower_bounds, leaf_pairs, triangle_pairs};
}  // namespace s4r
