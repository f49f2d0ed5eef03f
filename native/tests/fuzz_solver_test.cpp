// Whole scenes of broken and mixed shapes: the solvers come back with finite shifts, an honest status, bodies left
// alone where nothing touches them, and the same bits for any thread count.
#include <gtest/gtest.h>

#include "broken_meshes.h"
#include "geometry/support.h"
#include "shape_samples.h"

namespace s4r::testing {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr int kScenes = 4, kCrowd = 100;
#else
constexpr int kScenes = 40, kCrowd = 1000;
#endif

struct Outcome {
  bool solved = false;
  int before = 0, after = 0;
};

// What must hold of every solution, whatever the scene.
Outcome check(const Scene& scene, const Solution& s, const std::string& what) {
  Outcome outcome;
  EXPECT_EQ(s.shifts.size(), scene.bodies.size()) << what;
  const Evaluation before = evaluate(scene, poses_of(scene), {});
  for (const Overlap& o : before.overlaps) {
    EXPECT_TRUE(std::isfinite(o.depth) && o.depth > 0.0 && o.normal.allFinite() && o.point.allFinite()) << what;
  }
  for (std::size_t b = 0; b < s.shifts.size(); ++b) {
    EXPECT_TRUE(s.shifts[b].allFinite()) << what;
    if (!scene.bodies[b].movable) {
      EXPECT_TRUE(s.shifts[b] == Vec3(Vec3::Zero())) << what;
    }
  }
  outcome.before = repairable(before);
  if (outcome.before == 0) {
    for (const Vec3& shift : s.shifts) EXPECT_TRUE(shift == Vec3(Vec3::Zero())) << what << ": a clean scene was moved";
  }
  outcome.after = repairable(evaluate(scene, moved_poses(scene, s), {}));
  outcome.solved = s.status == SolveStatus::kSolved;
  if (outcome.solved) {
    EXPECT_EQ(outcome.after, 0) << what << ": solved, it says";
  } else {
    EXPECT_FALSE(s.reason.empty() && s.status == SolveStatus::kStagnation) << what;
  }
  return outcome;
}

Outcome solve_and_check(const Scene& scene, const std::string& what) {
  DefaultOptions options;
  options.threads = 1;
  const Solution one = solve_default(scene, options);
  options.threads = 2;
  const Solution two = solve_default(scene, options);
  EXPECT_EQ(one.status, two.status) << what;
  for (std::size_t b = 0; b < one.shifts.size(); ++b) EXPECT_TRUE(one.shifts[b] == two.shifts[b]) << what;
  return check(scene, one, what);
}

// A floor and `count` bodies in a cube; sizes over `decades` powers of ten below 2 * reach.
Scene random_scene(std::mt19937_64& rng, int count, double spread, bool broken, double decades, const Vec3& offset) {
  std::uniform_real_distribution<double> U(-1, 1), exponent(-decades, 0.0);
  Scene scene;
  add_body(scene, halfspace(), {offset - Vec3(0, 0, 0.1), Quat::Identity()}, false);
  for (int k = 0; k < count; ++k) {
    ShapeKind kind = kAllKinds[rng() % kAllKinds.size()];
    if (kind == ShapeKind::kHalfspace || kind == ShapeKind::kHeightField) kind = ShapeKind::kMesh;
    Shape shape = random_shape(kind, rng);
    if (broken && kind == ShapeKind::kMesh) {
      const int which = static_cast<int>(rng() % kBrokenKinds);
      shape = mesh_shape(broken_mesh(which, 0.1, rng));
    }
    const double size = std::pow(10.0, exponent(rng));
    const Vec3 p = offset + spread * Vec3(U(rng), U(rng), U(rng));
    add_body(scene, scaled(shape, size), {p, random_rotation(rng)});
  }
  return scene;
}

struct Tally {
  int scenes = 0, dirty = 0, solved = 0;
  std::string unsolved;
  void add(const Outcome& o, const std::string& what) {
    ++scenes;
    dirty += o.before > 0 ? 1 : 0;
    solved += o.solved ? 1 : 0;
    if (!o.solved) unsolved += " " + what + " (" + std::to_string(o.before) + " -> " + std::to_string(o.after) + ")";
  }
  void print(const char* name) const {
    std::printf("%s: %d scenes, %d with overlaps, %d solved; not solved:%s\n", name, scenes, dirty, solved,
                unsolved.empty() ? " none" : unsolved.c_str());
  }
};

// The scenes `make(rng, seed)` gives, solved by the default profile.
template <typename Make>
Tally solve_scenes(const char* name, int first_seed, const Make& make) {
  Tally tally;
  for (int seed = 0; seed < kScenes; ++seed) {
    std::mt19937_64 rng(first_seed + seed);
    tally.add(solve_and_check(make(rng, seed), std::to_string(seed)), std::to_string(seed));
  }
  tally.print(name);
  return tally;
}

TEST(FuzzSolver, SmallScenesOfAllKinds) {
  const Tally tally = solve_scenes("all kinds", 100, [](std::mt19937_64& rng, int) {
    return random_scene(rng, 12, 0.12, false, 0.0, Vec3::Zero());
  });
  EXPECT_EQ(tally.solved, tally.scenes);
}

TEST(FuzzSolver, ScenesWithBrokenMeshes) {
  const Tally tally = solve_scenes("broken meshes", 200, [](std::mt19937_64& rng, int) {
    return random_scene(rng, 12, 0.12, true, 0.0, Vec3::Zero());
  });
  EXPECT_EQ(tally.solved, tally.scenes);
}

TEST(FuzzSolver, ScenesTenKilometresFromTheOrigin) {
  const Tally tally = solve_scenes("far away", 300, [](std::mt19937_64& rng, int) {
    return random_scene(rng, 12, 0.12, true, 0.0, 1e4 * Vec3(1, -0.5, 0.2));
  });
  EXPECT_EQ(tally.solved, tally.scenes);
}

// Sizes from 1e-3 to 1e3 m in one scene.
TEST(FuzzSolver, SizesOverSixDecades) {
  const Tally tally = solve_scenes("six decades", 400, [](std::mt19937_64& rng, int) {
    Scene scene = random_scene(rng, 12, 0.12, true, 6.0, Vec3::Zero());
    for (Shape& shape : scene.shapes)
      if (shape.kind != ShapeKind::kHalfspace) shape = scaled(shape, 1e4);
    for (Body& body : scene.bodies) body.X_WB.p *= 1e4;
    return scene;
  });
  EXPECT_EQ(tally.solved, tally.scenes);
}

TEST(FuzzSolver, CoincidentCentres) {
  const Tally tally = solve_scenes("coincident centres", 500, [](std::mt19937_64& rng, int seed) {
    return random_scene(rng, 8, 0.0, seed % 2 == 1, 0.0, Vec3::Zero());
  });
  EXPECT_EQ(tally.solved, tally.scenes);
}

TEST(FuzzSolver, ReferenceProfileOnTheSameKindsOfScenes) {
  Tally tally;
  for (int seed = 0; seed < kScenes / 2; ++seed) {
    std::mt19937_64 rng(600 + seed);
    const Scene scene = random_scene(rng, 8, seed % 4 == 3 ? 0.0 : 0.1, seed % 2 == 1, seed % 8 == 5 ? 6.0 : 0.0,
                                     seed % 3 == 2 ? Vec3(1e4, 0, 0) : Vec3(0, 0, 0));
    const std::string what = std::to_string(seed);
    tally.add(check(scene, solve_reference(scene, {}), what), what);
  }
  tally.print("reference");
  EXPECT_GE(tally.solved, tally.scenes - 1);
}

// As many bodies as a careless spawner leaves at one pose: half a million pairs. There is no time to solve them all;
// what comes back in time has to be finite, and the status has to say so.
TEST(FuzzSolver, ACrowdAtOnePose) {
  const auto in_time = [](auto&& solve, const Scene& scene, const std::string& what) {
    Interrupt interrupt;
    const auto start = std::chrono::steady_clock::now();
    interrupt.deadline = start + std::chrono::seconds(2);
    int late = 0;  // progress that was made after it
    interrupt.on_progress = [&](Stage, double, int) {
      late += std::chrono::steady_clock::now() > *interrupt.deadline ? 1 : 0;
    };
    const Solution s = solve(scene, interrupt);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%s: %s after %.1f s\n", what.c_str(), to_string(s.status), took.count());
    for (const Vec3& shift : s.shifts) EXPECT_TRUE(shift.allFinite()) << what;
    if (s.status == SolveStatus::kSolved) {
      EXPECT_EQ(repairable(evaluate(scene, moved_poses(scene, s), {})), 0) << what;
    } else {
      EXPECT_EQ(s.status, SolveStatus::kTimeLimit) << what;
    }
    EXPECT_LE(late, 1) << what << ": went on after its time limit";
  };
  const Shape shapes[] = {sphere(0.05), box(0.05, 0.04, 0.03), mesh_shape(u_profile(0.05, 0.02, 0.02))};
  for (std::size_t k = 0; k < std::size(shapes); ++k) {
    Scene scene;
    for (int body = 0; body < kCrowd; ++body) add_body(scene, shapes[k], {});
    in_time([](const Scene& x, const Interrupt& i) { return solve_default(x, {}, i); }, scene,
            "default " + std::to_string(k));
    if (k == 0)
      in_time([](const Scene& x, const Interrupt& i) { return solve_reference(x, {}, i); }, scene, "reference");
  }
}

// Fewer of them are solved: by either profile for spheres, by the reference for boxes.
TEST(FuzzSolver, FiftyAtOnePoseComeApart) {
  for (const Shape& shape : {sphere(0.05), box(0.05, 0.04, 0.03)}) {
    Scene scene;
    for (int body = 0; body < 50; ++body) add_body(scene, shape, {});
    const Outcome outcome = check(scene, solve_reference(scene, {}), "reference");
    EXPECT_TRUE(outcome.solved);
    check(scene, solve_default(scene, {}), "default");
  }
}

// The default profile once gave up with one pair left, or with one closer than what it accepts, though nothing
// overlapped.
TEST(FuzzSolver, ScenesTheDefaultProfileGaveUp) {
  std::mt19937_64 rng(100 + 463);
  const Scene stuck = random_scene(rng, 12, 0.12, false, 0.0, Vec3::Zero());
  EXPECT_TRUE(solve_and_check(stuck, "a mesh and a box stay 9 mm deep in one another").solved);
  rng.seed(500 + 341);
  const Scene close = random_scene(rng, 8, 0.0, true, 0.0, Vec3::Zero());
  EXPECT_TRUE(solve_and_check(close, "coincident centres, one gap of 1.1e-5 units left").solved);
}

// To the evaluator a mesh all of whose triangles have no area has no surface to meet.
TEST(FuzzSolver, AMeshWithoutAreaIsNothingToTheSolverEither) {
  Scene scene;
  std::mt19937_64 rng(1);
  add_body(scene, mesh_shape(broken_mesh(kWithoutArea, 0.1, rng)), {});
  add_body(scene, sphere(0.05), {});
  check(scene, solve_default(scene, {}), "without area");
  // Inside another it is one all the same.
  add_body(scene, mesh_shape(box_mesh({0.2, 0.2, 0.2})), {Vec3(0.1, 0, 0), Quat::Identity()});
  scene.geoms[1].category = scene.geoms[1].mask = 2;
  const Outcome outcome = check(scene, solve_default(scene, {}), "without area, inside another");
  EXPECT_EQ(outcome.before, 1);
  EXPECT_TRUE(outcome.solved);
}

TEST(FuzzSolver, AHundredBoxesAtOnePoseComeApart) {
  Scene scene;
  for (int body = 0; body < 100; ++body) add_body(scene, box(0.05, 0.04, 0.03), {});
  EXPECT_TRUE(check(scene, solve_default(scene, {}), "default").solved);
}

}  // namespace
}  // namespace s4r::testing
