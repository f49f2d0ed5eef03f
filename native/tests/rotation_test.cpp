// exp_map and log_map: the axioms every turn of a unit relies on.
#include "geometry/rotation.h"

#include <gtest/gtest.h>

#include "scenes.h"

namespace s4r::testing {
namespace {

constexpr int kSamples = 1000;

// Distance of two rotations; q and -q are the same.
double apart(const Quat& a, const Quat& b) { return angle_of(a * b.conjugate()); }

Vec3 random_vector(std::mt19937_64& rng, double longest) {
  std::uniform_real_distribution<double> U(0.0, longest);
  return U(rng) * (random_rotation(rng) * Vec3::UnitZ());
}

TEST(Rotation, LogUndoesExpUpToHalfATurn) {
  std::mt19937_64 rng(1);
  for (int k = 0; k < kSamples; ++k) {
    const Vec3 v = random_vector(rng, std::numbers::pi - 1e-3);
    EXPECT_LT((log_map(exp_map(v)) - v).norm(), 1e-12);
    const Quat q = random_rotation(rng);
    EXPECT_LT(apart(exp_map(log_map(q)), q), 1e-12);
    EXPECT_LE(log_map(q).norm(), std::numbers::pi + 1e-12);
  }
}

TEST(Rotation, OppositeVectorsAreInverse) {
  std::mt19937_64 rng(2);
  for (int k = 0; k < kSamples; ++k) {
    const Vec3 v = random_vector(rng, 10.0);
    EXPECT_LT(apart(exp_map(v) * exp_map(-v), Quat::Identity()), 1e-12);
    EXPECT_LT(apart(exp_map(v).conjugate(), exp_map(-v)), 1e-12);
  }
}

TEST(Rotation, TurnsAboutOneAxisAddUp) {
  std::mt19937_64 rng(3);
  std::uniform_real_distribution<double> U(-3.0, 3.0);
  for (int k = 0; k < kSamples; ++k) {
    const Vec3 axis = random_rotation(rng) * Vec3::UnitX();
    const double a = U(rng), b = U(rng);
    EXPECT_LT(apart(exp_map(a * axis) * exp_map(b * axis), exp_map((a + b) * axis)), 1e-12);
  }
}

TEST(Rotation, CompositionIsAssociativeAndConjugationTurnsTheAxis) {
  std::mt19937_64 rng(4);
  for (int k = 0; k < kSamples; ++k) {
    const Quat p = exp_map(random_vector(rng, 3.0)), q = exp_map(random_vector(rng, 3.0)), r = random_rotation(rng);
    EXPECT_LT(apart((p * q) * r, p * (q * r)), 1e-12);
    const Vec3 v = random_vector(rng, 3.0);
    EXPECT_LT(apart(r * exp_map(v) * r.conjugate(), exp_map(r * v)), 1e-12);
  }
}

TEST(Rotation, SmallTurnsAreExact) {
  EXPECT_TRUE(is_identity(exp_map(Vec3::Zero())));
  EXPECT_TRUE(log_map(Quat::Identity()).isZero(0.0));
  for (const double size : {1e-3, 1e-8, 1e-15, 1e-300}) {
    const Vec3 v = size * Vec3(0.6, -0.8, 0.0);
    EXPECT_LT((log_map(exp_map(v)) - v).norm(), 1e-12 * size);
    const Vec3 x(0.3, 0.2, -0.7);
    EXPECT_LT((exp_map(v) * x - x - v.cross(x)).norm(), size * size + 1e-15);
  }
}

}  // namespace
}  // namespace s4r::testing
