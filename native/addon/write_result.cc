#include "marshal.h"

namespace s4r_addon {
namespace {

void put_vec3(Napi::Float64Array& array, std::size_t i, const s4r::Vec3& v) {
  for (int k = 0; k < 3; ++k) array[3 * i + k] = v[k];
}

Napi::Object write_stats(Napi::Env env, const s4r::SolveStats& stats) {
  Napi::Object out = Napi::Object::New(env);
  out.Set("steps", stats.steps);
  out.Set("attempts", stats.attempts);
  out.Set("finalScale", stats.final_scale);
  out.Set("detections", stats.detections);
  out.Set("tailIterations", stats.tail_iterations);
  out.Set("cleanupIterations", stats.cleanup_iterations);
  out.Set("tailLeft", stats.tail_left);
  out.Set("cleanupLeft", stats.cleanup_left);
  out.Set("queries", static_cast<double>(stats.queries));
  out.Set("qpSolves", stats.qp_solves);
  out.Set("qpIterations", static_cast<double>(stats.qp_iterations));
  out.Set("qpVariablesMax", stats.qp_variables_max);
  out.Set("qpVariablesMean", stats.qp_variables_mean);
  out.Set("lengthUnit", stats.length_unit);
  out.Set("margin", stats.margin);
  out.Set("threads", stats.threads);
  out.Set("msSetup", stats.ms_setup);
  out.Set("msDetect", stats.ms_detect);
  out.Set("msQp", stats.ms_qp);
  out.Set("msTail", stats.ms_tail);
  out.Set("msCleanup", stats.ms_cleanup);
  out.Set("msTotal", stats.ms_total);
  return out;
}

}  // namespace

Napi::Value write_evaluation(Napi::Env env, const s4r::Evaluation& evaluation) {
  const std::size_t count = evaluation.overlaps.size();
  auto geoms = Napi::Int32Array::New(env, 2 * count);
  auto kind = Napi::Uint8Array::New(env, count);
  auto constant = Napi::Uint8Array::New(env, count);
  auto depth = Napi::Float64Array::New(env, count);
  auto point = Napi::Float64Array::New(env, 3 * count);
  auto normal = Napi::Float64Array::New(env, 3 * count);
  for (std::size_t i = 0; i < count; ++i) {
    const s4r::Overlap& overlap = evaluation.overlaps[i];
    geoms[2 * i] = overlap.geom_a;
    geoms[2 * i + 1] = overlap.geom_b;
    kind[i] = overlap.kind == s4r::OverlapKind::kContained ? 1 : 0;
    constant[i] = overlap.constant ? 1 : 0;
    depth[i] = overlap.depth;
    put_vec3(point, i, overlap.point);
    put_vec3(normal, i, overlap.normal);
  }
  Napi::Object out = Napi::Object::New(env);
  out.Set("geoms", geoms);
  out.Set("kind", kind);
  out.Set("constant", constant);
  out.Set("depth", depth);
  out.Set("point", point);
  out.Set("normal", normal);
  out.Set("candidates", static_cast<double>(evaluation.candidates));
  out.Set("interrupted", evaluation.interrupted);
  return out;
}

Napi::Value write_solution(Napi::Env env, const s4r::Solution& solution) {
  auto shifts = Napi::Float64Array::New(env, 3 * solution.shifts.size());
  auto turns = Napi::Float64Array::New(env, 4 * solution.turns.size());
  auto centres = Napi::Float64Array::New(env, 3 * solution.centres.size());
  for (std::size_t i = 0; i < solution.centres.size(); ++i) put_vec3(centres, i, solution.centres[i]);
  for (std::size_t i = 0; i < solution.shifts.size(); ++i) {
    const s4r::Quat& turn = solution.turns[i];
    put_vec3(shifts, i, solution.shifts[i]);
    turns[4 * i] = turn.w();
    for (int k = 0; k < 3; ++k) turns[4 * i + 1 + k] = turn.vec()[k];
  }
  auto joints = Napi::Float64Array::New(env, solution.joints.size());
  for (std::size_t j = 0; j < solution.joints.size(); ++j) joints[j] = solution.joints[j];
  Napi::Object out = Napi::Object::New(env);
  out.Set("status", s4r::to_string(solution.status));
  out.Set("reason", solution.reason);
  out.Set("shifts", shifts);
  out.Set("turns", turns);
  out.Set("joints", joints);
  out.Set("centres", centres);
  out.Set("stats", write_stats(env, solution.stats));
  return out;
}

Napi::Value write_resolution(Napi::Env env, const s4r::Solution& solution,
                             const std::vector<std::pair<int, int>>& left) {
  auto geoms = Napi::Int32Array::New(env, 2 * left.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    geoms[2 * i] = left[i].first;
    geoms[2 * i + 1] = left[i].second;
  }
  Napi::Object out = write_solution(env, solution).As<Napi::Object>();
  out.Set("overlapsBefore", solution.initial_overlaps);
  out.Set("left", geoms);
  return out;
}

}  // namespace s4r_addon
