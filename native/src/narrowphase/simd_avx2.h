// Eight floats, AVX2. Same interface as simd_generic.h.
#pragma once

#include <immintrin.h>

namespace {

struct F8 {
  __m256 v;
  F8() = default;
  F8(__m256 x) : v(x) {}
  explicit F8(float x) : v(_mm256_set1_ps(x)) {}
  static F8 load(const float* p) { return _mm256_load_ps(p); }
  void store(float* p) const { _mm256_store_ps(p, v); }
};
inline F8 operator+(F8 a, F8 b) { return _mm256_add_ps(a.v, b.v); }
inline F8 operator-(F8 a, F8 b) { return _mm256_sub_ps(a.v, b.v); }
inline F8 operator*(F8 a, F8 b) { return _mm256_mul_ps(a.v, b.v); }
inline F8 operator/(F8 a, F8 b) { return _mm256_div_ps(a.v, b.v); }
inline F8 min(F8 a, F8 b) { return _mm256_min_ps(a.v, b.v); }
inline F8 max(F8 a, F8 b) { return _mm256_max_ps(a.v, b.v); }
inline F8 sqrt(F8 a) { return _mm256_sqrt_ps(a.v); }
inline F8 abs(F8 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v); }
// Comparisons give full masks; select takes b where the mask is set.
inline F8 less(F8 a, F8 b) { return _mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ); }
inline F8 both(F8 a, F8 b) { return _mm256_and_ps(a.v, b.v); }
inline F8 either(F8 a, F8 b) { return _mm256_or_ps(a.v, b.v); }
inline F8 select(F8 mask, F8 a, F8 b) { return _mm256_blendv_ps(a.v, b.v, mask.v); }
inline int bits(F8 mask) { return _mm256_movemask_ps(mask.v); }

}  // namespace
