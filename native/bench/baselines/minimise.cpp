// The only file that includes the L-BFGS-B library.
#include "minimise.h"

extern "C" {
#include <lbfgsb.h>
}

namespace s4r::bench {
namespace {

// SciPy's defaults: maxcor, ftol / machine epsilon, gtol, maxiter.
constexpr integer kCorrections = 10;
constexpr double kReduction = 1e7;
constexpr double kGradient = 1e-5;
constexpr int kMaxIterations = 15000;

}  // namespace

void minimise(std::vector<double>& x, const Objective& objective, const std::function<bool()>& stop) {
  integer n = static_cast<integer>(x.size()), m = kCorrections;
  if (n == 0) return;
  double f = 0.0, factr = kReduction, pgtol = kGradient;
  std::vector<double> gradient(n), unused(n);
  std::vector<integer> unbounded(n, 0);
  std::vector<double> work(2 * m * n + 5 * n + 11 * m * m + 8 * m);
  std::vector<integer> index_work(3 * n);
  integer task = START, silent = -1, csave = 0, isave[44] = {};
  logical lsave[4] = {};
  double dsave[29] = {};
  for (int iterations = 0; iterations < kMaxIterations;) {
    setulb(&n, &m, x.data(), unused.data(), unused.data(), unbounded.data(), &f, gradient.data(), &factr, &pgtol,
           work.data(), index_work.data(), &task, &silent, &csave, lsave, isave, dsave);
    if (IS_FG(task)) {
      f = objective(x, gradient);
    } else if (task == NEW_X) {
      ++iterations;
    } else {
      return;  // converged, or the line search found nothing better
    }
    if (stop()) return;
  }
}

}  // namespace s4r::bench
