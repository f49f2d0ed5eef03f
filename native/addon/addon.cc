// What the addon exports: check, solve, version. A shell around the core: no numerics.
#include <napi.h>

#include <functional>
#include <memory>

#include "marshal.h"
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

// solve(scene, {profile, tolerance, threads, margin?, maxShift?, reference}, run)
// -> {promise of a packed solution, cancel()}
Napi::Value solve(const Napi::CallbackInfo& info) {
  auto scene = std::make_shared<const s4r::Scene>(read_scene(info[0]));
  std::function<s4r::Solution(const s4r::Interrupt&)> run;
  if (wants_reference(info[1])) {
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

Napi::Object init(Napi::Env env, Napi::Object exports) {
  exports.Set("check", Napi::Function::New<check>(env, "check"));
  exports.Set("solve", Napi::Function::New<solve>(env, "solve"));
  Napi::Object version = Napi::Object::New(env);
  version.Set("pack", kPackVersion);
  exports.Set("version", version);
  return exports;
}

}  // namespace
}  // namespace s4r_addon

static Napi::Object init_addon(Napi::Env env, Napi::Object exports) { return s4r_addon::init(env, exports); }
NODE_API_MODULE(s4r, init_addon)
