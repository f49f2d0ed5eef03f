#include "subjects.h"

#include <fstream>
#include <stdexcept>

namespace s4r::bench {
namespace {

constexpr double kClear = 1.0;       // farther than any two objects reach
constexpr double kTolerance = 1e-4;  // of the first contact
constexpr int kTries = 1000;

std::shared_ptr<const TriangleMesh> read_mesh(std::istream& in) {
  std::string word;
  std::size_t vertices = 0, triangles = 0;
  if (!(in >> word >> vertices >> triangles) || word != "mesh") throw std::runtime_error("expected 'mesh'");
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->vertices.resize(vertices);
  mesh->triangles.resize(triangles);
  for (Vec3& v : mesh->vertices) in >> v.x() >> v.y() >> v.z();
  for (auto& t : mesh->triangles) in >> t[0] >> t[1] >> t[2];
  if (!in) throw std::runtime_error("a mesh ends too early");
  return mesh;
}

Quat random_rotation(std::mt19937_64& rng) {
  std::normal_distribution<double> normal;
  return Quat(normal(rng), normal(rng), normal(rng), normal(rng)).normalized();
}

// How far B moves along n from the origin of A until the surfaces first come apart for good.
double first_contact(const PosedPair& pair, const Quat& q, const Vec3& n) {
  double travel = kClear;
  for (;;) {
    const TreeDistance d =
        tree_distance({&pair.a->tree, &pair.b->tree, q.toRotationMatrix(), travel * n}, kClear, nullptr);
    if (!d.found || d.crossing || d.distance < kTolerance) return travel;
    travel -= d.distance;
    if (travel < -kClear) return travel;  // the line passes by
  }
}

std::vector<Pose> shaken(const Pose& X, int count, std::mt19937_64& rng) {
  std::uniform_real_distribution<double> U(-1.0, 1.0);
  std::vector<Pose> poses;
  for (int k = 0; k < count; ++k) {
    const Vec3 turn = 0.5 * 0.0174533 * Vec3(U(rng), U(rng), U(rng));
    poses.push_back({X.p + 5e-4 * Vec3(U(rng), U(rng), U(rng)),
                     (X.q * Quat(1.0, 0.5 * turn.x(), 0.5 * turn.y(), 0.5 * turn.z())).normalized()});
  }
  return poses;
}

// All poses of the pair belong to the class.
bool belongs(const PosedPair& pair, Gap gap) {
  for (int k = 0; k < static_cast<int>(pair.poses.size()); ++k) {
    const TreeDistance d = tree_distance(pair.trees(k), kClear, nullptr);
    if (d.crossing != (gap == Gap::kOverlapping)) return false;
    if (gap == Gap::kNear && d.distance > 0.02) return false;
    if (gap == Gap::kFar && (d.distance < 0.02 || d.distance > 0.05)) return false;
  }
  return true;
}

}  // namespace

std::vector<Group> read_groups(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error("cannot read " + path);
  std::vector<Group> groups;
  std::string word, size;
  int count = 0;
  while (in >> word >> size >> count) {
    if (word != "group") throw std::runtime_error("expected 'group'");
    Group group{size, {}};
    for (int k = 0; k < count; ++k) group.subjects.emplace_back(read_mesh(in));
    groups.push_back(std::move(group));
  }
  return groups;
}

std::vector<PosedPair> pose_pairs(const Group& group, Gap gap, int count, int poses, std::mt19937_64& rng) {
  std::uniform_real_distribution<double> U(0.0, 1.0);
  std::vector<PosedPair> pairs;
  for (int attempt = 0; attempt < kTries * count && static_cast<int>(pairs.size()) < count; ++attempt) {
    const auto any = [&] { return &group.subjects[rng() % group.subjects.size()]; };
    PosedPair pair{any(), any(), {}};
    const Quat q = random_rotation(rng);
    const Vec3 n = random_rotation(rng) * Vec3::UnitZ();
    const double contact = first_contact(pair, q, n);
    const double travel = gap == Gap::kOverlapping ? -0.03 * U(rng)
                          : gap == Gap::kNear      ? 0.02 * U(rng)
                                                   : 0.02 + 0.04 * U(rng);
    pair.poses = shaken({(contact + travel) * n, q}, poses, rng);
    if (belongs(pair, gap)) pairs.push_back(std::move(pair));
  }
  if (static_cast<int>(pairs.size()) < count) throw std::runtime_error("found too few pairs of size " + group.size);
  return pairs;
}

}  // namespace s4r::bench
