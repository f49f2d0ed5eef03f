// The only file that includes OSQP.
#include <osqp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "qp/qp.h"

namespace s4r {
namespace {

// Compressed sparse columns, rows of each column ascending.
struct Csc {
  std::vector<OSQPFloat> values;
  std::vector<OSQPInt> row_indices;
  std::vector<OSQPInt> column_starts{0};

  OSQPCscMatrix view(OSQPInt rows, OSQPInt columns) {
    OSQPCscMatrix matrix{};
    OSQPCscMatrix_set_data(&matrix, rows, columns, static_cast<OSQPInt>(values.size()), values.data(),
                           row_indices.data(), column_starts.data());
    return matrix;
  }
};

Csc objective_matrix(const QpProblem& problem) {
  Csc P;
  for (std::size_t k = 0; k < problem.weights.size(); ++k)
    for (int axis = 0; axis < problem.size(k); ++axis) {
      P.values.push_back(problem.weights[k]);
      P.row_indices.push_back(static_cast<OSQPInt>(P.row_indices.size()));
      P.column_starts.push_back(static_cast<OSQPInt>(P.values.size()));
    }
  return P;
}

Csc constraint_matrix(const QpProblem& problem) {
  std::vector<std::vector<std::pair<int, Vec3>>> columns(problem.weights.size());
  for (int r = 0; r < static_cast<int>(problem.rows.size()); ++r)
    for (const QpTerm& term : problem.rows[r].terms)
      if (term.block >= 0) columns[term.block].emplace_back(r, term.a);
  Csc A;
  for (std::size_t k = 0; k < columns.size(); ++k)
    for (int axis = 0; axis < problem.size(k); ++axis) {
      for (const auto& [r, a] : columns[k]) {
        A.values.push_back(a[axis]);
        A.row_indices.push_back(r);
      }
      A.column_starts.push_back(static_cast<OSQPInt>(A.values.size()));
    }
  return A;
}

// The coordinates of all blocks, one after the other.
std::vector<OSQPFloat> flat(const QpProblem& problem, const std::vector<Vec3>& x) {
  std::vector<OSQPFloat> list;
  for (std::size_t k = 0; k < x.size(); ++k) list.insert(list.end(), x[k].data(), x[k].data() + problem.size(k));
  return list;
}

OSQPSettings settings_for(const QpProblem& problem) {
  OSQPSettings settings;
  osqp_set_default_settings(&settings);
  settings.verbose = 0;
  settings.eps_abs = problem.tolerance;
  settings.eps_rel = problem.tolerance;
  settings.max_iter = problem.max_iterations;
  settings.polishing = 1;
  // Rho updates tied to iterations, not to time: same input, same bits.
  settings.adaptive_rho = OSQP_ADAPTIVE_RHO_UPDATE_ITERATIONS;
  settings.adaptive_rho_interval = 50;
  settings.time_limit = 1e10;
  return settings;
}

struct SolverDeleter {
  void operator()(OSQPSolver* solver) const { osqp_cleanup(solver); }
};

QpResult::Status status_of(OSQPInt value) {
  switch (value) {
    case OSQP_SOLVED:
    case OSQP_SOLVED_INACCURATE: return QpResult::Status::kSolved;
    case OSQP_PRIMAL_INFEASIBLE:
    case OSQP_PRIMAL_INFEASIBLE_INACCURATE: return QpResult::Status::kInfeasible;
    default: return QpResult::Status::kFailed;
  }
}

}  // namespace

QpResult solve_qp(const QpProblem& problem) {
  const auto rows = static_cast<OSQPInt>(problem.rows.size());
  QpResult result;
  result.x.assign(problem.weights.size(), Vec3::Zero());
  result.multipliers.assign(problem.rows.size(), 0.0);
  if (rows == 0) {
    result.status = QpResult::Status::kSolved;
    return result;
  }
  Csc P = objective_matrix(problem), A = constraint_matrix(problem);
  const auto variables = static_cast<OSQPInt>(P.values.size());
  const OSQPCscMatrix P_view = P.view(variables, variables), A_view = A.view(rows, variables);
  std::vector<OSQPFloat> q(variables, 0.0), lower(rows), upper(rows);
  for (OSQPInt r = 0; r < rows; ++r) {
    lower[r] = problem.rows[r].b;
    upper[r] = std::min<OSQPFloat>(problem.rows[r].top, OSQP_INFTY);
  }

  const OSQPSettings settings = settings_for(problem);
  OSQPSolver* raw = nullptr;
  const OSQPInt error =
      osqp_setup(&raw, &P_view, q.data(), &A_view, lower.data(), upper.data(), rows, variables, &settings);
  const std::unique_ptr<OSQPSolver, SolverDeleter> solver(raw);
  if (error != 0) throw std::runtime_error(std::string("OSQP setup failed: ") + osqp_error_message(error));
  if (!problem.start.empty()) {
    const std::vector<OSQPFloat> x = flat(problem, problem.start);
    osqp_warm_start(solver.get(), x.data(), nullptr);
  }
  osqp_solve(solver.get());

  result.status = status_of(solver->info->status_val);
  result.iterations = static_cast<int>(solver->info->iter);
  const bool infeasible = result.status == QpResult::Status::kInfeasible;
  const OSQPFloat* multipliers = infeasible ? solver->solution->prim_inf_cert : solver->solution->y;
  for (OSQPInt r = 0; r < rows; ++r) {
    const bool two_sided = problem.rows[r].top < OSQP_INFTY;
    result.multipliers[r] = two_sided ? std::abs(multipliers[r]) : std::max<double>(0.0, -multipliers[r]);
  }
  if (result.status == QpResult::Status::kSolved) {
    const OSQPFloat* x = solver->solution->x;
    for (std::size_t k = 0; k < result.x.size(); ++k)
      for (int axis = 0; axis < problem.size(k); ++axis) result.x[k][axis] = *x++;
  }
  return result;
}

}  // namespace s4r
