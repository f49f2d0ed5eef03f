// Four floats in the compiler's own vector extension: NEON, or whatever else the machine has. Interface: simd_sse2.h.
#pragma once

namespace {

typedef float FloatVector __attribute__((vector_size(16)));
typedef int MaskVector __attribute__((vector_size(16)));

struct F4 {
  static constexpr int width = 4;
  FloatVector v;
  F4() = default;
  F4(FloatVector x) : v(x) {}
  explicit F4(float x) : v{x, x, x, x} {}
  static F4 load(const float* p) {
    F4 r;
    __builtin_memcpy(&r.v, p, sizeof r.v);
    return r;
  }
  void store(float* p) const { __builtin_memcpy(p, &v, sizeof v); }
};
inline F4 chosen(MaskVector mask, F4 a, F4 b) {
  return (FloatVector)(((MaskVector)a.v & mask) | ((MaskVector)b.v & ~mask));
}
inline F4 operator+(F4 a, F4 b) { return a.v + b.v; }
inline F4 operator-(F4 a, F4 b) { return a.v - b.v; }
inline F4 operator*(F4 a, F4 b) { return a.v * b.v; }
inline F4 operator/(F4 a, F4 b) { return a.v / b.v; }
// As x86 does: the second operand if the comparison is false.
inline F4 min(F4 a, F4 b) { return chosen(a.v < b.v, a, b); }
inline F4 max(F4 a, F4 b) { return chosen(a.v > b.v, a, b); }
inline F4 abs(F4 a) {
  const MaskVector magnitude = {0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff};
  return (FloatVector)((MaskVector)a.v & magnitude);
}
inline F4 less(F4 a, F4 b) { return (FloatVector)(a.v < b.v); }
inline F4 both(F4 a, F4 b) { return (FloatVector)((MaskVector)a.v & (MaskVector)b.v); }
inline F4 either(F4 a, F4 b) { return (FloatVector)((MaskVector)a.v | (MaskVector)b.v); }
inline F4 without(F4 a, F4 b) { return (FloatVector)((MaskVector)a.v & ~(MaskVector)b.v); }
inline int bits(F4 mask) {
  const MaskVector weight = {1, 2, 4, 8};
  const MaskVector set = (MaskVector)mask.v & weight;
  return set[0] | set[1] | set[2] | set[3];
}

typedef double DoubleVector __attribute__((vector_size(16)));
typedef long long WideMaskVector __attribute__((vector_size(16)));

struct D2 {
  static constexpr int width = 2;
  DoubleVector v;
  D2() = default;
  D2(DoubleVector x) : v(x) {}
  explicit D2(double x) : v{x, x} {}
  static D2 load(const double* p) {
    D2 r;
    __builtin_memcpy(&r.v, p, sizeof r.v);
    return r;
  }
  void store(double* p) const { __builtin_memcpy(p, &v, sizeof v); }
};
inline D2 chosen(WideMaskVector mask, D2 a, D2 b) {
  return (DoubleVector)(((WideMaskVector)a.v & mask) | ((WideMaskVector)b.v & ~mask));
}
inline D2 operator+(D2 a, D2 b) { return a.v + b.v; }
inline D2 operator-(D2 a, D2 b) { return a.v - b.v; }
inline D2 operator*(D2 a, D2 b) { return a.v * b.v; }
inline D2 operator/(D2 a, D2 b) { return a.v / b.v; }
inline D2 min(D2 a, D2 b) { return chosen(a.v < b.v, a, b); }
inline D2 max(D2 a, D2 b) { return chosen(a.v > b.v, a, b); }
inline D2 less(D2 a, D2 b) { return (DoubleVector)(a.v < b.v); }
inline D2 either(D2 a, D2 b) { return (DoubleVector)((WideMaskVector)a.v | (WideMaskVector)b.v); }

inline void pack(F4, const float* p, int chosen_lanes, float* to) {
  for (; chosen_lanes != 0; chosen_lanes &= chosen_lanes - 1) *to++ = p[__builtin_ctz(chosen_lanes)];
}

}  // namespace
