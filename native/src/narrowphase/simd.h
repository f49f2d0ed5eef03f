// Four floats, as every machine of the build's kind has them.
#pragma once

#ifdef __SSE2__
#include "narrowphase/simd_sse2.h"
#else
#include "narrowphase/simd_portable.h"
#endif
