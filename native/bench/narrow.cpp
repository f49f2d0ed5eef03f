// Times the narrow phase against FCL: s4r_bench_narrow MESHES PAIRS POSES ROUNDS KERNELS prints one JSON row per line.
// Pairs are visited in turn, a pose later each time, so that neither caches nor branch predictors know the query.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <functional>

#include "geometry/separating_plane.h"
#include "subjects.h"

namespace s4r::bench {
namespace {

constexpr double kRange = 0.02;  // m
constexpr int kRows = 8;

struct Settings {
  int pairs, poses, rounds;
  const TreeKernels* kernels;
};

// `run(pair, pose)`; `baseline`: the FCL query it is compared with.
struct Query {
  const char* name;
  const char* method;
  const char* baseline;
  std::function<void(int, int)> run;
  std::vector<double> samples{};  // ns per query, one a sweep over the pairs
  double nanoseconds() {
    const auto quarter = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 4);
    std::nth_element(samples.begin(), quarter, samples.end());
    return *quarter;
  }
};

volatile double g_sink;  // keeps results alive

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Queries take turns, round by round: a ratio compares neighbours in time, each with its own data in the caches.
void measure(const std::string& size, const char* gap, std::vector<Query>& queries, const Settings& settings) {
  for (int round = 0; round < settings.rounds; ++round)
    for (Query& query : queries)
      for (int pose = 0; pose < settings.poses; ++pose) {
        const double start = seconds_now();
        for (int pair = 0; pair < settings.pairs; ++pair) query.run(pair, (pose + pair) % settings.poses);
        query.samples.push_back(1e9 * (seconds_now() - start) / settings.pairs);
      }
  for (Query& query : queries) {
    double ratio = 1.0;
    for (Query& other : queries)
      if (std::string(other.method) == "fcl" && std::string(other.name) == query.baseline)
        ratio = other.nanoseconds() / query.nanoseconds();
    std::printf(R"({"method":"%s","size":"%s","class":"%s","query":"%s","nanoseconds":%.1f,"ratio":%.3f})"
                "\n",
                query.method, size.c_str(), gap, query.name, query.nanoseconds(), ratio);
  }
  std::fflush(stdout);
}

void measure_trees(const Group& group, Gap gap, const Settings& settings) {
  std::mt19937_64 rng(42);
  const std::vector<PosedPair> pairs = pose_pairs(group, gap, settings.pairs, settings.poses, rng);
  const char* name = settings.kernels->name;
  const auto trees = [&](int pair, int pose) { return pairs[pair].trees(pose, settings.kernels); };
  // Answers of every pose: starts for warm queries on the next one, and for cover rows.
  std::vector<std::vector<TreeDistance>> known(pairs.size());
  for (int pair = 0; pair < settings.pairs; ++pair)
    for (int pose = 0; pose < settings.poses; ++pose)
      known[pair].push_back(tree_distance(trees(pair, pose), 1.0, nullptr));
  const auto last = [&](int pair, int pose) {
    return known[pair][(pose + settings.poses - 1) % settings.poses].witness;
  };

  std::vector<Query> queries;
  queries.push_back({"boolean", "fcl", "boolean", [&](int pair, int pose) {
                       g_sink = fcl_collide(pairs[pair].a->fcl, pairs[pair].b->fcl, pairs[pair].poses[pose]);
                     }});
  queries.push_back({"distance", "fcl", "distance", [&](int pair, int pose) {
                       g_sink = fcl_distance(pairs[pair].a->fcl, pairs[pair].b->fcl, pairs[pair].poses[pose]);
                     }});
  queries.push_back(
      {"boolean", name, "boolean", [&](int pair, int pose) { g_sink = trees_cross(trees(pair, pose), nullptr); }});
  queries.push_back({"distance", name, "distance",
                     [&](int pair, int pose) { g_sink = tree_distance(trees(pair, pose), 1.0, nullptr).distance; }});
  queries.push_back({"distance to 20 mm", name, "distance",
                     [&](int pair, int pose) { g_sink = tree_distance(trees(pair, pose), kRange, nullptr).distance; }});
  queries.push_back({"distance, warm", name, "distance", [&](int pair, int pose) {
                       const TrianglePair start = last(pair, pose);
                       g_sink = tree_distance(trees(pair, pose), 1.0, &start).distance;
                     }});
  if (gap == Gap::kNear)
    for (const double range : {0.004, 0.01, kRange})
      queries.push_back({range == 0.004  ? "cover to 4 mm"
                         : range == 0.01 ? "cover to 10 mm"
                                         : "cover to 20 mm",
                         name, "distance", [&, range](int pair, int pose) {
                           const TreeDistance& closest = known[pair][pose];
                           if (closest.distance < range)
                             g_sink = cover_rows(trees(pair, pose), closest, range, kRows).range;
                         }});
  std::vector<TrianglePair> hits;
  if (gap == Gap::kOverlapping) {
    queries.push_back({"all crossings", "fcl", "all crossings", [&](int pair, int pose) {
                         g_sink = fcl_contacts(pairs[pair].a->fcl, pairs[pair].b->fcl, pairs[pair].poses[pose]);
                       }});
    queries.push_back({"all crossings", name, "all crossings", [&](int pair, int pose) {
                         crossing_triangles(trees(pair, pose), hits);
                         g_sink = static_cast<double>(hits.size());
                       }});
  }
  measure(group.size, kGapNames[static_cast<int>(gap)], queries, settings);
}

void measure_hulls(const Group& group, Gap gap, const Settings& settings) {
  std::mt19937_64 rng(42);
  const std::vector<PosedPair> pairs = pose_pairs(group, gap, settings.pairs, settings.poses, rng);
  const auto query = [&](int pair, int pose, const Vec3& guess) {
    const PosedPair& p = pairs[pair];
    return convex_gap({&p.a->hull, {}}, {&p.b->hull, p.poses[pose]}, guess);
  };
  std::vector<std::vector<Vec3>> normals(pairs.size());
  for (int pair = 0; pair < settings.pairs; ++pair)
    for (int pose = 0; pose < settings.poses; ++pose)
      normals[pair].push_back(query(pair, pose, pairs[pair].poses[pose].p).n);
  std::vector<Query> queries;
  queries.push_back({"distance", "fcl", "distance", [&](int pair, int pose) {
                       g_sink = fcl_distance(pairs[pair].a->fcl, pairs[pair].b->fcl, pairs[pair].poses[pose]);
                     }});
  queries.push_back({"convex", "gjk", "distance",
                     [&](int pair, int pose) { g_sink = query(pair, pose, pairs[pair].poses[pose].p).separation; }});
  queries.push_back({"convex, warm", "gjk", "distance", [&](int pair, int pose) {
                       g_sink =
                           query(pair, pose, normals[pair][(pose + settings.poses - 1) % settings.poses]).separation;
                     }});
  measure(group.size, kGapNames[static_cast<int>(gap)], queries, settings);
}

// Per triangle.
void measure_build(const Group& group, const Settings& settings) {
  Settings builds = settings;
  builds.pairs = static_cast<int>(group.subjects.size());
  builds.poses = 1;
  double triangles = 0.0;
  for (const Subject& s : group.subjects) triangles += static_cast<double>(s.mesh->triangles.size()) / builds.pairs;
  std::vector<Query> queries;
  queries.push_back({"build", "fcl", "build", [&](int k, int) { const FclMesh built(*group.subjects[k].mesh); }});
  queries.push_back({"build", settings.kernels->name, "build",
                     [&](int k, int) { g_sink = MeshTree(group.subjects[k].mesh).radius(); }});
  measure(group.size, "per mesh", queries, builds);
}

int run(const std::string& meshes, Settings settings) {
  for (const Group& group : read_groups(meshes)) {
    const bool hulls = group.size.starts_with("hull");
    if (!hulls) measure_build(group, settings);
    for (const Gap gap : {Gap::kOverlapping, Gap::kNear, Gap::kFar})
      hulls ? measure_hulls(group, gap, settings) : measure_trees(group, gap, settings);
  }
  return 0;
}

}  // namespace
}  // namespace s4r::bench

int main(int argc, char** argv) {
  if (argc != 6) {
    std::fputs("usage: s4r_bench_narrow MESHES PAIRS POSES ROUNDS KERNELS (or fastest)\n", stderr);
    return 2;
  }
  const std::string kernels = argv[5];
  const s4r::TreeKernels* chosen = kernels == "fastest" ? &s4r::tree_kernels() : s4r::tree_kernels_named(argv[5]);
  if (chosen == nullptr) {
    std::fprintf(stderr, "this machine has no kernels '%s'\n", argv[5]);
    return 3;
  }
  try {
    return s4r::bench::run(argv[1], {std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), chosen});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
