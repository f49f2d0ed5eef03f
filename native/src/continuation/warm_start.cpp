#include "continuation/warm_start.h"

#include <Eigen/SparseCholesky>
#include <algorithm>

namespace s4r {
namespace {

constexpr double kBinding = 1e-9;         // multiplier from which a row counts as binding
constexpr double kRegularisation = 1e-6;  // of A A^T, whose diagonal is 1 or 2 without turns

// dx/dds of the equality-constrained QP on the binding rows: x = W^-1 A^T (A W^-1 A^T + eps I)^-1 db/dds.
std::vector<Vec3> sensitivity(const QpProblem& problem, const QpResult& result, const std::vector<double>& closures) {
  std::vector<Vec3> dx(problem.weights.size(), Vec3::Zero());
  std::vector<int> binding;
  for (std::size_t r = 0; r < problem.rows.size(); ++r)
    if (result.multipliers[r] > kBinding) binding.push_back(static_cast<int>(r));
  if (binding.empty()) return dx;

  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd rate(binding.size());
  for (std::size_t k = 0; k < binding.size(); ++k) {
    const QpRow& row = problem.rows[binding[k]];
    rate[k] = closures[binding[k]];
    for (int axis = 0; axis < 3; ++axis)
      for (const QpTerm& term : row.terms)
        if (term.block >= 0 && axis < problem.size(term.block))
          entries.emplace_back(k, 3 * term.block + axis, term.a[axis] / std::sqrt(problem.weights[term.block]));
  }
  Eigen::SparseMatrix<double> A(binding.size(), 3 * problem.weights.size());
  A.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseMatrix<double> gram = A * A.transpose();
  for (int k = 0; k < gram.rows(); ++k) gram.coeffRef(k, k) += kRegularisation;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(gram);
  if (factor.info() != Eigen::Success) return dx;  // a start value only: zero is always admissible
  const Eigen::VectorXd scaled = A.transpose() * factor.solve(rate);
  for (std::size_t v = 0; v < dx.size(); ++v) dx[v] = scaled.segment<3>(3 * v) / std::sqrt(problem.weights[v]);
  return dx;
}

}  // namespace

std::vector<Vec3> WarmStart::predict(const std::vector<int>& blocks, double ds) const {
  std::vector<Vec3> start(blocks.size(), Vec3::Zero());
  std::vector<int> common;
  std::set_intersection(blocks.begin(), blocks.end(), blocks_.begin(), blocks_.end(), std::back_inserter(common));
  const bool same = blocks == blocks_;
  const bool similar = 2 * common.size() > std::max(blocks.size(), blocks_.size());
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const auto found = std::lower_bound(blocks_.begin(), blocks_.end(), blocks[k]);
    if (found == blocks_.end() || *found != blocks[k]) continue;
    const auto at = found - blocks_.begin();
    start[k] = same ? Vec3(ds * sensitivity_[at]) : similar ? Vec3(0.5 * ds * sensitivity_[at]) : increments_[at];
  }
  return start;
}

void WarmStart::remember(const std::vector<int>& blocks, const QpProblem& problem, const QpResult& result,
                         const std::vector<double>& closures) {
  blocks_ = blocks;
  increments_ = result.x;
  sensitivity_ = sensitivity(problem, result, closures);
}

void WarmStart::forget(int block) {
  const auto found = std::lower_bound(blocks_.begin(), blocks_.end(), block);
  if (found == blocks_.end() || *found != block) return;
  increments_[found - blocks_.begin()] = sensitivity_[found - blocks_.begin()] = Vec3::Zero();
}

}  // namespace s4r
