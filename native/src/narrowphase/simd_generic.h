// Eight floats as two vectors of four, in the compiler's own vector extension:
// SSE2, NEON, or plain code elsewhere.
#pragma once

#include <cmath>
#include <cstring>

namespace {

typedef float F4 __attribute__((vector_size(16)));
typedef int I4 __attribute__((vector_size(16)));

struct F8 {
  F4 lo, hi;
  F8() = default;
  F8(F4 a, F4 b) : lo(a), hi(b) {}
  explicit F8(float x) : lo{x, x, x, x}, hi{x, x, x, x} {}
  static F8 load(const float* p) {
    F8 r;
    std::memcpy(&r.lo, p, 16);
    std::memcpy(&r.hi, p + 4, 16);
    return r;
  }
  void store(float* p) const {
    std::memcpy(p, &lo, 16);
    std::memcpy(p + 4, &hi, 16);
  }
};
inline F4 pick(I4 mask, F4 a, F4 b) { return (F4)(((I4)a & ~mask) | ((I4)b & mask)); }
inline F8 operator+(F8 a, F8 b) { return {a.lo + b.lo, a.hi + b.hi}; }
inline F8 operator-(F8 a, F8 b) { return {a.lo - b.lo, a.hi - b.hi}; }
inline F8 operator*(F8 a, F8 b) { return {a.lo * b.lo, a.hi * b.hi}; }
inline F8 operator/(F8 a, F8 b) { return {a.lo / b.lo, a.hi / b.hi}; }
// As the machine instructions do: the second operand if the comparison is
// false.
inline F8 min(F8 a, F8 b) { return {pick(a.lo < b.lo, b.lo, a.lo), pick(a.hi < b.hi, b.hi, a.hi)}; }
inline F8 max(F8 a, F8 b) { return {pick(a.lo > b.lo, b.lo, a.lo), pick(a.hi > b.hi, b.hi, a.hi)}; }
inline F8 sqrt(F8 a) {
  F8 r = a;
  for (int k = 0; k < 4; ++k) {
    r.lo[k] = std::sqrt(a.lo[k]);
    r.hi[k] = std::sqrt(a.hi[k]);
  }
  return r;
}
inline F8 abs(F8 a) {
  const I4 mask = {0x7fffffff, 0x7fffffff, 0x7fffffff, 0x7fffffff};
  return {(F4)((I4)a.lo & mask), (F4)((I4)a.hi & mask)};
}
inline F8 less(F8 a, F8 b) { return {(F4)(a.lo < b.lo), (F4)(a.hi < b.hi)}; }
inline F8 both(F8 a, F8 b) { return {(F4)((I4)a.lo & (I4)b.lo), (F4)((I4)a.hi & (I4)b.hi)}; }
inline F8 either(F8 a, F8 b) { return {(F4)((I4)a.lo | (I4)b.lo), (F4)((I4)a.hi | (I4)b.hi)}; }
inline F8 select(F8 mask, F8 a, F8 b) { return {pick((I4)mask.lo, a.lo, b.lo), pick((I4)mask.hi, a.hi, b.hi)}; }
inline int bits(F8 mask) {
  int r = 0;
  for (int k = 0; k < 4; ++k) r |= (((I4)mask.lo)[k] < 0 ? 1 << k : 0) | (((I4)mask.hi)[k] < 0 ? 16 << k : 0);
  return r;
}

}  // namespace
