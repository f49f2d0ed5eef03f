// The only file that includes OSQP.
#include <osqp.h>

#include <algorithm>
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
  for (std::size_t v = 0; v < 3 * problem.weights.size(); ++v) {
    P.values.push_back(problem.weights[v / 3]);
    P.row_indices.push_back(static_cast<OSQPInt>(v));
    P.column_starts.push_back(static_cast<OSQPInt>(v + 1));
  }
  return P;
}

Csc constraint_matrix(const QpProblem& problem) {
  std::vector<std::vector<std::pair<int, Vec3>>> columns(problem.weights.size());
  for (int r = 0; r < static_cast<int>(problem.rows.size()); ++r) {
    const QpRow& row = problem.rows[r];
    if (row.i >= 0) columns[row.i].emplace_back(r, -row.n);
    if (row.j >= 0) columns[row.j].emplace_back(r, row.n);
  }
  Csc A;
  for (const auto& column : columns)
    for (int axis = 0; axis < 3; ++axis) {
      for (const auto& [r, n] : column) {
        A.values.push_back(n[axis]);
        A.row_indices.push_back(r);
      }
      A.column_starts.push_back(static_cast<OSQPInt>(A.values.size()));
    }
  return A;
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
  const auto variables = static_cast<OSQPInt>(3 * problem.weights.size());
  const auto rows = static_cast<OSQPInt>(problem.rows.size());
  QpResult result;
  result.x.assign(problem.weights.size(), Vec3::Zero());
  result.multipliers.assign(problem.rows.size(), 0.0);
  if (rows == 0) {
    result.status = QpResult::Status::kSolved;
    return result;
  }
  Csc P = objective_matrix(problem), A = constraint_matrix(problem);
  const OSQPCscMatrix P_view = P.view(variables, variables), A_view = A.view(rows, variables);
  std::vector<OSQPFloat> q(variables, 0.0), lower(rows), upper(rows, OSQP_INFTY);
  for (OSQPInt r = 0; r < rows; ++r) lower[r] = problem.rows[r].b;

  const OSQPSettings settings = settings_for(problem);
  OSQPSolver* raw = nullptr;
  const OSQPInt error =
      osqp_setup(&raw, &P_view, q.data(), &A_view, lower.data(), upper.data(), rows, variables, &settings);
  const std::unique_ptr<OSQPSolver, SolverDeleter> solver(raw);
  if (error != 0) throw std::runtime_error(std::string("OSQP setup failed: ") + osqp_error_message(error));
  if (!problem.start.empty()) {
    std::vector<OSQPFloat> x(variables);
    for (OSQPInt v = 0; v < variables; ++v) x[v] = problem.start[v / 3][v % 3];
    osqp_warm_start(solver.get(), x.data(), nullptr);
  }
  osqp_solve(solver.get());

  result.status = status_of(solver->info->status_val);
  result.iterations = static_cast<int>(solver->info->iter);
  const bool infeasible = result.status == QpResult::Status::kInfeasible;
  const OSQPFloat* multipliers = infeasible ? solver->solution->prim_inf_cert : solver->solution->y;
  for (OSQPInt r = 0; r < rows; ++r) result.multipliers[r] = std::max<double>(0.0, -multipliers[r]);
  if (result.status == QpResult::Status::kSolved)
    for (OSQPInt v = 0; v < variables; ++v) result.x[v / 3][v % 3] = solver->solution->x[v];
  return result;
}

}  // namespace s4r
