// What the addon exports: check, solve, prepare, supports, settle, lift, version. A shell around the core: no numerics.
#include <napi.h>

#include <functional>
#include <memory>

#include "marshal.h"
#include "placement.h"
#include "s4r/articulation.h"
#include "worker.h"

namespace s4r_addon {
namespace {

// check(scene, poses, {tolerance, threads}, run) -> {promise of a packed evaluation, cancel()}
Napi::Value check(const Napi::CallbackInfo& info) {
  auto scene = std::make_shared<const s4r::Scene>(read_scene(info[0]));
  auto poses =
      std::make_shared<const std::vector<s4r::Pose>>(read_poses(info[1], "poses", scene->bodies.size()));
  const s4r::EvaluateOptions options = read_evaluate_options(info[2]);
  return start_job(info.Env(), info[3], [scene, poses, options](const s4r::Interrupt& interrupt) -> Finish {
    return [evaluation = s4r::evaluate(*scene, *poses, options, interrupt)](Napi::Env env) {
      return write_evaluation(env, evaluation);
    };
  });
}

// solve(scene, {profile, tolerance, threads, margin?, maxShift?, reference, separation}, run)
// -> {promise of a packed solution, cancel()}; a scene with joints is not for the profile `reference`
Napi::Value solve(const Napi::CallbackInfo& info) {
  auto scene = std::make_shared<const s4r::Scene>(read_scene(info[0]));
  std::function<s4r::Solution(const s4r::Interrupt&)> run;
  if (!scene->joints.empty()) {
    run = [scene, options = read_default_options(info[1])](const s4r::Interrupt& interrupt) {
      return s4r::solve_articulated(*scene, options, interrupt);
    };
  } else if (wants_reference(info[1])) {
    run = [scene, options = read_reference_options(info[1])](const s4r::Interrupt& interrupt) {
      return s4r::solve_reference(*scene, options, interrupt);
    };
  } else {
    run = [scene, options = read_default_options(info[1])](const s4r::Interrupt& interrupt) {
      return s4r::solve_default(*scene, options, interrupt);
    };
  }
  return start_job(info.Env(), info[2], [run](const s4r::Interrupt& interrupt) -> Finish {
    return [solution = run(interrupt)](Napi::Env env) { return write_solution(env, solution); };
  });
}

// The trees of one scene, kept for many states of it.
struct Prepared {
  std::size_t bodies;
  s4r::EvaluateOptions judge;
  s4r::PreparedSolver solver;
  s4r::Evaluator evaluator;

  Prepared(const s4r::Scene& scene, const s4r::EvaluateOptions& evaluate, const s4r::DefaultOptions& options)
      : bodies(scene.bodies.size()), judge(evaluate), solver(scene, options), evaluator(scene) {}
};

// resolve(poses, run) -> {promise of a packed resolution, cancel()}
Napi::Value resolve(const Napi::CallbackInfo& info, const std::shared_ptr<const Prepared>& prepared) {
  auto poses = std::make_shared<const std::vector<s4r::Pose>>(
      read_poses(info[0], "poses", prepared->bodies));
  return start_job(info.Env(), info[1], [prepared, poses](const s4r::Interrupt& interrupt) -> Finish {
    s4r::Solution solution = prepared->solver.solve(*poses, interrupt);
    const std::vector<s4r::Pose> moved = s4r::moved_poses(*poses, solution);
    std::vector<std::pair<int, int>> left;
    // What the solver calls its end is judged, whatever happened since.
    if (solution.status != s4r::SolveStatus::kCancelled && solution.status != s4r::SolveStatus::kTimeLimit)
      left = prepared->evaluator.repairable_pairs(moved, prepared->judge);
    return [solution = std::move(solution), left = std::move(left)](Napi::Env env) {
      return write_resolution(env, solution, left);
    };
  });
}

// prepare(scene, {profile, tolerance, threads, margin?, maxShift?, separation}, run) -> {promise of {resolve}, cancel()}
Napi::Value prepare(const Napi::CallbackInfo& info) {
  auto scene = std::make_shared<const s4r::Scene>(read_scene(info[0]));
  const s4r::EvaluateOptions judge = read_evaluate_options(info[1]);
  const s4r::DefaultOptions options = read_default_options(info[1]);
  return start_job(info.Env(), info[2], [scene, judge, options](const s4r::Interrupt&) -> Finish {
    auto prepared = std::make_shared<const Prepared>(*scene, judge, options);
    return [prepared](Napi::Env env) {
      Napi::Object handle = Napi::Object::New(env);
      handle.Set("resolve", Napi::Function::New(env, [prepared](const Napi::CallbackInfo& call) {
                   return resolve(call, prepared);
                 }));
      return handle;
    };
  });
}

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("check", Napi::Function::New<check>(env, "check"));
  exports.Set("solve", Napi::Function::New<solve>(env, "solve"));
  exports.Set("prepare", Napi::Function::New<prepare>(env, "prepare"));
  exports.Set("supports", Napi::Function::New<supports>(env, "supports"));
  exports.Set("settle", Napi::Function::New<settle>(env, "settle"));
  exports.Set("lift", Napi::Function::New<lift>(env, "lift"));
  Napi::Object version = Napi::Object::New(env);
  version.Set("pack", kPackVersion);
  exports.Set("version", version);
  return exports;
}

}  // namespace
}  // namespace s4r_addon

static Napi::Object init_addon(Napi::Env env, Napi::Object exports) { return s4r_addon::init(env, exports); }
NODE_API_MODULE(s4r, init_addon)
