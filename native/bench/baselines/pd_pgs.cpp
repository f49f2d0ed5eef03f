// PD-PGS (App. A.8 v, A.6): position-based projected Gauss-Seidel. Sweeps over the overlap graph, component by
// component, each push split by weight and relaxed by 0.8, until nothing overlaps or the time is up.
// Within a detection the gaps follow the pushes along their normals, and a pair may take back what it pushed too much
// (its multiplier stays >= 0). Sweeps and reach are the best of 1 to 20 and 0.001 to 0.04 on scenes of 100 and 400
// bodies.
#include <algorithm>

#include "problem.h"
#include "util/groups.h"
#include "util/stopwatch.h"

namespace s4r::bench {
namespace {

constexpr double kRelaxation = 0.8;
constexpr int kSweeps = 6;        // per detection
constexpr double kReach = 0.002;  // pairs further apart take no part in a sweep [units]

// Pairs of the components in which some pair is closer than its clearance.
std::vector<const Contact*> violated_components(const Problem& problem, const std::vector<Contact>& contacts) {
  Groups groups(problem.model.units.size());
  for (const Contact& c : contacts)
    if (c.valid) groups.join(c.unit_a, c.unit_b);
  std::vector<char> violated(problem.model.units.size(), 0);
  for (const Contact& c : contacts)
    if (c.valid && c.distance < c.margin) violated[groups.find(c.unit_a)] = 1;
  std::vector<const Contact*> pairs;
  for (const Contact& c : contacts)
    if (c.valid && violated[groups.find(c.unit_a)] != 0) pairs.push_back(&c);
  return pairs;
}

std::vector<Vec3> sweep(const Problem& problem, const std::vector<const Contact*>& pairs) {
  std::vector<Vec3> shift(problem.model.units.size(), Vec3::Zero());
  std::vector<double> multiplier(pairs.size(), 0.0);
  const auto mobility = [&](int unit) { return 1.0 / problem.model.units[unit].weight; };
  for (int k = 0; k < kSweeps; ++k)
    for (std::size_t r = 0; r < pairs.size(); ++r) {
      const Contact& c = *pairs[r];
      const double missing = c.margin - c.distance - c.n.dot(shift[c.unit_b] - shift[c.unit_a]);
      const double wanted = kRelaxation * missing / (mobility(c.unit_a) + mobility(c.unit_b));
      const double change = std::max(wanted, -multiplier[r]);
      multiplier[r] += change;
      shift[c.unit_a] -= change * mobility(c.unit_a) * c.n;
      shift[c.unit_b] += change * mobility(c.unit_b) * c.n;
    }
  return shift;
}

}  // namespace

SolveStatus pd_pgs(Problem& problem) {
  while (true) {
    const std::vector<Contact>& contacts = problem.detect(kReach);
    if (overlaps(contacts) == 0) return SolveStatus::kSolved;
    if (problem.out_of_time()) return SolveStatus::kTimeLimit;
    const Stopwatch watch(problem.stats.ms_qp);
    const std::vector<Vec3> shift = sweep(problem, violated_components(problem, contacts));
    for (std::size_t unit = 0; unit < shift.size(); ++unit) problem.move(static_cast<int>(unit), shift[unit]);
    ++problem.stats.steps;
  }
}

}  // namespace s4r::bench
