// Four floats, SSE2. All lane types have this interface.
#pragma once

#include <emmintrin.h>

namespace {

struct F4 {
  static constexpr int width = 4;
  __m128 v;
  F4() = default;
  F4(__m128 x) : v(x) {}
  explicit F4(float x) : v(_mm_set1_ps(x)) {}
  static F4 load(const float* p) { return _mm_loadu_ps(p); }
  void store(float* p) const { _mm_storeu_ps(p, v); }
};
inline F4 operator+(F4 a, F4 b) { return _mm_add_ps(a.v, b.v); }
inline F4 operator-(F4 a, F4 b) { return _mm_sub_ps(a.v, b.v); }
inline F4 operator*(F4 a, F4 b) { return _mm_mul_ps(a.v, b.v); }
inline F4 operator/(F4 a, F4 b) { return _mm_div_ps(a.v, b.v); }
// The second operand if the comparison is false.
inline F4 min(F4 a, F4 b) { return _mm_min_ps(a.v, b.v); }
inline F4 max(F4 a, F4 b) { return _mm_max_ps(a.v, b.v); }
inline F4 abs(F4 a) { return _mm_andnot_ps(_mm_set1_ps(-0.0f), a.v); }
// Comparisons give full masks.
inline F4 less(F4 a, F4 b) { return _mm_cmplt_ps(a.v, b.v); }
inline F4 both(F4 a, F4 b) { return _mm_and_ps(a.v, b.v); }
inline F4 either(F4 a, F4 b) { return _mm_or_ps(a.v, b.v); }
inline F4 without(F4 a, F4 b) { return _mm_andnot_ps(b.v, a.v); }  // a where b is not set, else 0
inline int bits(F4 mask) { return _mm_movemask_ps(mask.v); }

// The chosen lanes of p[0..3], closed up, to `to`; writes past the last one.
inline void pack(F4, const float* p, int chosen, float* to) {
  for (; chosen != 0; chosen &= chosen - 1) *to++ = p[__builtin_ctz(chosen)];
}

// Two doubles, for what decides.
struct D2 {
  static constexpr int width = 2;
  __m128d v;
  D2() = default;
  D2(__m128d x) : v(x) {}
  explicit D2(double x) : v(_mm_set1_pd(x)) {}
  static D2 load(const double* p) { return _mm_loadu_pd(p); }
  void store(double* p) const { _mm_storeu_pd(p, v); }
};
inline D2 operator+(D2 a, D2 b) { return _mm_add_pd(a.v, b.v); }
inline D2 operator-(D2 a, D2 b) { return _mm_sub_pd(a.v, b.v); }
inline D2 operator*(D2 a, D2 b) { return _mm_mul_pd(a.v, b.v); }
inline D2 operator/(D2 a, D2 b) { return _mm_div_pd(a.v, b.v); }
inline D2 min(D2 a, D2 b) { return _mm_min_pd(a.v, b.v); }
inline D2 max(D2 a, D2 b) { return _mm_max_pd(a.v, b.v); }
inline D2 less(D2 a, D2 b) { return _mm_cmplt_pd(a.v, b.v); }
inline D2 either(D2 a, D2 b) { return _mm_or_pd(a.v, b.v); }

}  // namespace
