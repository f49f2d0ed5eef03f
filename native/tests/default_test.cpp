// The default profile end to end.
#include <gtest/gtest.h>

#include "scenes.h"
#include "separation/projection.h"

namespace s4r::testing {
namespace {

std::string status_of(const Solution& s) { return to_string(s.status); }

void expect_solved(const Scene& scene, const Solution& s) {
  EXPECT_EQ(status_of(s), "solved") << s.reason;
  EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0);
}

// Surface of revolution around z from (radius, height) pairs, closed where the
// profile starts and ends on the axis.
TriangleMesh revolve(const std::vector<std::pair<double, double>>& profile, int segments = 32) {
  TriangleMesh m;
  const int rings = static_cast<int>(profile.size());
  for (const auto& [r, z] : profile)
    for (int k = 0; k < segments; ++k) {
      const double a = 2 * std::numbers::pi * k / segments;
      m.vertices.emplace_back(r * std::cos(a), r * std::sin(a), z);
    }
  const auto at = [&](int ring, int k) { return ring * segments + k % segments; };
  for (int ring = 0; ring + 1 < rings; ++ring)
    for (int k = 0; k < segments; ++k) {
      if (profile[ring].first > 0.0) m.triangles.push_back({at(ring, k), at(ring, k + 1), at(ring + 1, k)});
      if (profile[ring + 1].first > 0.0) m.triangles.push_back({at(ring, k + 1), at(ring + 1, k + 1), at(ring + 1, k)});
    }
  // Rings of radius zero are one point each.
  for (auto& t : m.triangles)
    for (int& v : t)
      if (profile[v / segments].first == 0.0) v = (v / segments) * segments;
  return m;
}

// Mug of 80 mm diameter and 90 mm height, walls and floor 5 mm; floor outside
// at z = 0.
TriangleMesh mug() { return revolve({{0, 0}, {0.04, 0}, {0.04, 0.09}, {0.035, 0.09}, {0.035, 0.005}, {0, 0.005}}); }

TriangleMesh u_profile() {
  // A U of three bars in the x-z plane, 20 mm thick in y: extruded polygon,
  // caps triangulated by hand.
  const std::vector<std::pair<double, double>> outline{{-0.05, -0.05}, {0.05, -0.05},  {0.05, 0.05},  {0.03, 0.05},
                                                       {0.03, -0.03},  {-0.03, -0.03}, {-0.03, 0.05}, {-0.05, 0.05}};
  const std::vector<std::array<int, 3>> caps{{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}, {0, 5, 6}, {0, 6, 7}};
  TriangleMesh m;
  for (const double y : {-0.01, 0.01})
    for (const auto& [x, z] : outline) m.vertices.emplace_back(x, y, z);
  for (const auto& t : caps) {
    m.triangles.push_back({t[0], t[1], t[2]});
    m.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
  }
  for (int k = 0; k < 8; ++k) {
    const int next = (k + 1) % 8;
    m.triangles.push_back({k, k + 8, next});
    m.triangles.push_back({next, k + 8, next + 8});
  }
  return m;
}

double relative_move(const Solution& s, int a, int b) { return (s.shifts[a] - s.shifts[b]).norm(); }

// Nested things stay nested: about as far as they overlap, not out of what they
// stand in.
TEST(DefaultNesting, BallInAMugLeavesTheWall) {
  Scene scene;
  const int outer = add_body(scene, mesh_shape(mug()), {});
  const int ball = add_body(scene, sphere(0.02), {Vec3(0.016, 0, 0.04), Quat::Identity()});  // 1 mm in the wall
  const Solution s = solve_default(scene, {});
  expect_solved(scene, s);
  EXPECT_LT(relative_move(s, outer, ball), 0.002);
}

TEST(DefaultNesting, BallInAMugLeavesWallAndFloor) {
  Scene scene;
  const int outer = add_body(scene, mesh_shape(mug()), {});
  const int ball =
      add_body(scene, mesh_shape(revolve({{0, -0.02}, {0.014, -0.014}, {0.02, 0}, {0.014, 0.014}, {0, 0.02}})),
               {Vec3(0.0155, 0, 0.0245), Quat::Identity()});
  const Solution s = solve_default(scene, {});
  expect_solved(scene, s);
  EXPECT_LT(relative_move(s, outer, ball), 0.002);
}

TEST(DefaultNesting, InterlockedUsStayInterlocked) {
  Scene scene;
  const int a = add_body(scene, mesh_shape(u_profile()), {});
  // Upside down and turned by 90 degrees about z, hooked into the first; bars
  // overlap by 1 mm in z.
  const Quat q = Quat(Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitZ())) *
                 Quat(Eigen::AngleAxisd(std::numbers::pi, Vec3::UnitX()));
  const int b = add_body(scene, mesh_shape(u_profile()), {Vec3(0, 0, 0.0205 - 0.0015), q});
  ASSERT_EQ(repairable(evaluate(scene, poses_of(scene), {})), 0);
  scene.bodies[b].X_WB.p.z() = -0.061;  // the middle bars now overlap
  ASSERT_GT(repairable(evaluate(scene, poses_of(scene), {})), 0);
  const Solution s = solve_default(scene, {});
  expect_solved(scene, s);
  EXPECT_LT(relative_move(s, a, b), 0.002);
}

TriangleMesh hollow_box(double outer, double wall) {
  TriangleMesh m = box_mesh(Vec3::Constant(outer));
  const TriangleMesh inner = box_mesh(Vec3::Constant(outer - wall));
  const int n = static_cast<int>(m.vertices.size());
  m.vertices.insert(m.vertices.end(), inner.vertices.begin(), inner.vertices.end());
  for (const auto& t : inner.triangles) m.triangles.push_back({t[0] + n, t[2] + n, t[1] + n});
  return m;
}

TEST(DefaultNesting, ThingFreeInAClosedBoxKeepsItsPlace) {
  Scene scene;
  const int outer = add_body(scene, mesh_shape(hollow_box(0.05, 0.004)), {});
  const int spoon =
      add_body(scene, mesh_shape(box_mesh({0.03, 0.005, 0.003})), {Vec3(0.004, 0.01, -0.02), Quat::Identity()});
  add_body(scene, mesh_shape(box_mesh({0.04, 0.04, 0.04})), {Vec3(0.087, 0, 0), Quat::Identity()});  // 3 mm in the box
  const Solution s = solve_default(scene, {});
  expect_solved(scene, s);
  EXPECT_TRUE(s.shifts[spoon] == Vec3(Vec3::Zero()));
  EXPECT_LT(relative_move(s, outer, spoon), 0.002);
}

TEST(DefaultNesting, ThingInTheWallOfAClosedBoxStaysInside) {
  Scene scene;
  const int outer = add_body(scene, mesh_shape(hollow_box(0.05, 0.004)), {});
  const int spoon = add_body(scene, mesh_shape(box_mesh({0.03, 0.005, 0.003})),
                             {Vec3(0.017, 0.01, -0.02), Quat::Identity()});  // 1 mm in the wall
  add_body(scene, mesh_shape(box_mesh({0.04, 0.04, 0.04})), {Vec3(-0.087, 0, 0), Quat::Identity()});
  const Solution s = solve_default(scene, {});
  expect_solved(scene, s);
  EXPECT_LT(relative_move(s, outer, spoon), 0.002);
}

TEST(Default, SpheresPartEquallyAndCubeLifts) {
  Scene spheres;
  add_body(spheres, sphere(1.0), {});
  add_body(spheres, sphere(1.0), {Vec3(0.5, 0, 0), Quat::Identity()});
  const Solution s = solve_default(spheres, {});
  expect_solved(spheres, s);
  EXPECT_NEAR((s.shifts[0] + s.shifts[1]).norm(), 0.0, 1e-9);
  EXPECT_NEAR((Vec3(0.5, 0, 0) + s.shifts[1] - s.shifts[0]).norm(), 2.0, 0.005);
  Scene cube;
  add_body(cube, halfspace(), {}, false);
  add_body(
      cube, box(0.05, 0.05, 0.05),
      {Vec3(0, 0, 0.05 * std::sqrt(3.0) - 0.020), Quat::FromTwoVectors(Vec3(1, 1, 1).normalized(), Vec3::UnitZ())});
  const Solution lifted = solve_default(cube, {});
  expect_solved(cube, lifted);
  EXPECT_NEAR(lifted.shifts[1].z(), 0.020, 0.0005);
  EXPECT_NEAR(lifted.shifts[1].head<2>().norm(), 0.0, 1e-9);
}

TEST(Default, BodiesFarBelowTheFloorComeUp) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  add_body(scene, sphere(0.05), {Vec3(0, 0, -20), Quat::Identity()});
  add_body(scene, mesh_shape(box_mesh({0.05, 0.03, 0.02})), {Vec3(0.02, 0, -3), Quat::Identity()});
  const Solution s = solve_default(scene, {});
  expect_solved(scene, s);
  EXPECT_NEAR(s.shifts[1].z(), 20.05, 0.1);
  EXPECT_NEAR(s.shifts[2].z(), 3.02, 0.1);
}

// A grain of a millimetre, a hundred metres deep in a block: of the way, half is the grain's.
TEST(Default, GrainsLeaveWhatIsAThousandTimesTheirSize) {
  for (const Shape& grain : {sphere(0.0005), mesh_shape(box_mesh({0.0005, 0.0005, 0.0005}))}) {
    Scene scene;
    add_body(scene, box(500, 500, 100), {});
    add_body(scene, grain, {Vec3(10, 20, 3), Quat::Identity()});
    for (int k = 0; k < 3; ++k) add_body(scene, sphere(0.05), {Vec3(2000.0 + k, 0, 0), Quat::Identity()});
    const Solution s = solve_default(scene, {});
    expect_solved(scene, s);
    EXPECT_NEAR(relative_move(s, 0, 1), 97.0, 1.0);
  }
}

Scene spawn(int count, std::uint64_t seed, double multiplier = 1.0) {
  std::mt19937_64 rng(seed);
  std::uniform_real_distribution<double> U(-1, 1);
  const double f = multiplier * std::cbrt(count / 40.0);
  Scene scene;
  const Shape shapes[] = {mesh_shape(torus(0.035, 0.015)),
                          mesh_shape(box_mesh({0.05, 0.03, 0.02})),
                          sphere(0.04),
                          mesh_shape(mug()),
                          {ShapeKind::kCylinder, {0.03, 0.05, 0}, nullptr, nullptr},
                          mesh_shape(box_mesh({0.05, 0.02, 0.03}), ShapeKind::kConvex)};
  for (int k = 0; k < count; ++k)
    add_body(scene, shapes[k % 6],
             {Vec3(0.15 * f * U(rng), 0.35 * f * U(rng), 0.15 * f * U(rng)), random_rotation(rng)});
  return scene;
}

TEST(Default, SolvesMixedScenesWithLessMotionThanReference) {
  for (const std::uint64_t seed : {42, 123, 456}) {
    const Scene scene = spawn(80, seed);
    const Solution fast = solve_default(scene, {});
    expect_solved(scene, fast);
    const Solution reference = solve_reference(scene, {});
    double moved = 0.0, reference_moved = 0.0;
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      moved += fast.shifts[b].squaredNorm();
      reference_moved += reference.shifts[b].squaredNorm();
    }
    EXPECT_LT(moved, reference_moved);
  }
}

TEST(Default, ThreadsAndRunsGiveTheSameBits) {
  const Scene scene = spawn(120, 5, 0.8);
  DefaultOptions options;
  options.threads = 1;
  const Solution one = solve_default(scene, options);
  for (const int threads : {1, 2, 4}) {
    options.threads = threads;
    const Solution again = solve_default(scene, options);
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) EXPECT_TRUE(one.shifts[b] == again.shifts[b]);
  }
}

TEST(Default, QuickSkipsThePolish) {
  const Scene scene = spawn(60, 8);
  DefaultOptions quick;
  quick.polish = false;
  const Solution a = solve_default(scene, quick), b = solve_default(scene, {});
  expect_solved(scene, a);
  EXPECT_LE(a.stats.steps, b.stats.steps);
}

TEST(Default, BystandersKeepZeroShiftAndRestingNeighboursToo) {
  Scene scene;
  add_body(scene, halfspace(), {}, false);
  for (int k = 0; k < 50; ++k)
    add_body(scene, box(0.05, 0.05, 0.05), {Vec3(0.1 * k, 0, 0.05), Quat::Identity()});  // a row, touching
  const int first = add_body(scene, sphere(0.05), {Vec3(0, 1, 0.05), Quat::Identity()});
  const int second = add_body(scene, sphere(0.05), {Vec3(0.05, 1, 0.05), Quat::Identity()});
  const Solution s = solve_default(scene, {});
  expect_solved(scene, s);
  for (int b = 0; b < first; ++b) EXPECT_TRUE(s.shifts[b] == Vec3(Vec3::Zero())) << b;
  EXPECT_GT(relative_move(s, first, second), 0.045);
}

TEST(Default, MaxShiftIsNeverExceededAndTableExitIsUp) {
  Scene scene = spawn(40, 3, 0.7);
  DefaultOptions options;
  options.max_shift = 0.01;
  for (const Vec3& shift : solve_default(scene, options).shifts) EXPECT_LE(shift.norm(), 0.01);
  Scene table;
  add_body(table, box(0.5, 0.5, 0.02), {Vec3(0, 0, 0.4), Quat::Identity()}, false);
  add_body(table, box(0.04, 0.04, 0.04),
           {Vec3(0.1, 0.1, 0.398), Quat::Identity()});  // a little nearer to the underside
  const Solution s = solve_default(table, {});
  expect_solved(table, s);
  EXPECT_NEAR(s.shifts[1].z(), 0.062, 0.001);
}

TEST(Projection, MeetsItsOptimalityConditions) {
  std::mt19937_64 rng(31);
  std::normal_distribution<double> normal;
  std::vector<ProjectionRow> rows;
  for (int k = 0; k + 1 < 40; ++k)
    rows.push_back({k, k + 1, Vec3(normal(rng), normal(rng), normal(rng)).normalized(), 0.05 * normal(rng), 0.0});
  std::vector<Vec3> pull;
  for (int k = 0; k < 40; ++k) pull.push_back(0.01 * Vec3(normal(rng), normal(rng), normal(rng)));
  std::vector<Vec3> x = pull;
  ProjectionSettings settings;
  settings.tolerance = 1e-12;
  settings.max_sweeps = 100000;
  project(rows, std::vector<double>(40, 1.0), x, settings, 1);
  std::vector<Vec3> gradient;
  for (int k = 0; k < 40; ++k) gradient.push_back(x[k] - pull[k]);
  for (const ProjectionRow& row : rows) {
    const double slack = row.n.dot(x[row.j] - x[row.i]) - row.b;
    EXPECT_GT(slack, -1e-9);
    EXPECT_LT(std::min(slack, row.lambda), 1e-9);
    gradient[row.j] -= row.lambda * row.n;
    gradient[row.i] += row.lambda * row.n;
  }
  for (const Vec3& g : gradient) EXPECT_LT(g.norm(), 1e-9);
}

}  // namespace
}  // namespace s4r::testing
