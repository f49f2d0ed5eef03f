// Eight floats, AVX2. Interface: simd_sse2.h.
#pragma once

#include <immintrin.h>

#include "narrowphase/simd_sse2.h"

namespace {

struct F8 {
  static constexpr int width = 8;
  __m256 v;
  F8() = default;
  F8(__m256 x) : v(x) {}
  explicit F8(float x) : v(_mm256_set1_ps(x)) {}
  static F8 load(const float* p) { return _mm256_loadu_ps(p); }
  void store(float* p) const { _mm256_storeu_ps(p, v); }
};
inline F8 operator+(F8 a, F8 b) { return _mm256_add_ps(a.v, b.v); }
inline F8 operator-(F8 a, F8 b) { return _mm256_sub_ps(a.v, b.v); }
inline F8 operator*(F8 a, F8 b) { return _mm256_mul_ps(a.v, b.v); }
inline F8 operator/(F8 a, F8 b) { return _mm256_div_ps(a.v, b.v); }
inline F8 min(F8 a, F8 b) { return _mm256_min_ps(a.v, b.v); }
inline F8 max(F8 a, F8 b) { return _mm256_max_ps(a.v, b.v); }
inline F8 abs(F8 a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a.v); }
inline F8 less(F8 a, F8 b) { return _mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ); }
inline F8 both(F8 a, F8 b) { return _mm256_and_ps(a.v, b.v); }
inline F8 either(F8 a, F8 b) { return _mm256_or_ps(a.v, b.v); }
inline F8 without(F8 a, F8 b) { return _mm256_andnot_ps(b.v, a.v); }
inline int bits(F8 mask) { return _mm256_movemask_ps(mask.v); }

// Four doubles.
struct D4 {
  static constexpr int width = 4;
  __m256d v;
  D4() = default;
  D4(__m256d x) : v(x) {}
  explicit D4(double x) : v(_mm256_set1_pd(x)) {}
  static D4 load(const double* p) { return _mm256_loadu_pd(p); }
  void store(double* p) const { _mm256_storeu_pd(p, v); }
};
inline D4 operator+(D4 a, D4 b) { return _mm256_add_pd(a.v, b.v); }
inline D4 operator-(D4 a, D4 b) { return _mm256_sub_pd(a.v, b.v); }
inline D4 operator*(D4 a, D4 b) { return _mm256_mul_pd(a.v, b.v); }
inline D4 operator/(D4 a, D4 b) { return _mm256_div_pd(a.v, b.v); }
inline D4 min(D4 a, D4 b) { return _mm256_min_pd(a.v, b.v); }
inline D4 max(D4 a, D4 b) { return _mm256_max_pd(a.v, b.v); }
inline D4 less(D4 a, D4 b) { return _mm256_cmp_pd(a.v, b.v, _CMP_LT_OQ); }
inline D4 either(D4 a, D4 b) { return _mm256_or_pd(a.v, b.v); }

// For every set of lanes, the permutation that closes them up.
struct Permutations {
  alignas(64) unsigned char lane[256][8];
  constexpr Permutations() : lane{} {
    for (int chosen = 0; chosen < 256; ++chosen)
      for (int k = 0, to = 0; k < 8; ++k)
        if ((chosen >> k & 1) != 0) lane[chosen][to++] = static_cast<unsigned char>(k);
  }
};
constexpr Permutations kPermutations;

inline void pack(F8, const float* p, int chosen, float* to) {
  const __m128i lanes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kPermutations.lane[chosen]));
  _mm256_storeu_ps(to, _mm256_permutevar8x32_ps(_mm256_loadu_ps(p), _mm256_cvtepu8_epi32(lanes)));
}

}  // namespace
